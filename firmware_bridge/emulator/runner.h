/* Runs a firmware .elf in simavr and shows its pins and its serial line to the outside. */
#ifndef RUNNER_H
#define RUNNER_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define HERTZ 16000000ULL
#define CYCLES(us) ((avr_cycle_count_t)(us) * 16)

extern FILE *report; /* our JSON lines; simavr itself chats on stdout */
uint64_t wall_ns(void);

/* serial.c */
void serial_attach(avr_t *avr);
void serial_after_reset(avr_t *avr);
void serial_plug(void);
void serial_unplug(void);
void serial_poll(void);
avr_cycle_count_t serial_frame_start(void); /* when the first byte of the newest frame went to the chip */

/* pins.c */
void pins_attach(avr_t *avr);
void pins_after_reset(avr_t *avr);
void pins_poll(avr_t *avr);
void pins_set(avr_t *avr, int button, int level);
void pins_edges(avr_t *avr, int button, const uint32_t *offsets, int count);

#endif
