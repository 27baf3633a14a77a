/* The board's side of the conversation: sessions, order, refusals, counters. No hardware here either. */
#ifndef LINK_H
#define LINK_H

#include "proto.h"

/* What the board can do; answered in the welcome. */
struct link_abilities {
    uint8_t firmware[3];
    uint8_t leds;
    uint8_t layout;
    uint8_t buttons;
    uint8_t features; /* bit 0: buzzer, bit 1: watchdog */
};

enum link_count {
    COUNT_MALFORMED,
    COUNT_BAD_CRC,
    COUNT_TOO_LONG,
    COUNT_ORDER,
    COUNT_SESSION,
    COUNT_UNKNOWN,
    COUNT_REPEATED,
    COUNT_OVERRUN,
    COUNT_LOST_PRESSES,
    COUNTS,
};

#define LINK_PRESSES 8 /* presses that may wait for the host */

/* What the hardware does for the link. */
struct link_hardware {
    void (*send)(const uint8_t *wire, uint8_t length);
    void (*show)(uint8_t brightness, const uint8_t *colours);
    void (*beep)(uint16_t hertz, uint16_t milliseconds);
};

struct link {
    const struct link_abilities *abilities;
    const struct link_hardware *hardware;
    struct proto_reader reader;
    uint8_t session; /* 0: nobody has said hello */
    uint8_t last_sequence;
    uint16_t last_crc;
    uint8_t reset_cause;
    uint16_t counts[COUNTS];
    uint32_t heard_at; /* when the host last spoke, in milliseconds */
    uint8_t presses[LINK_PRESSES]; /* button << 1 | pressed */
    uint8_t first_press, waiting_presses;
    uint8_t press_number;
    uint32_t pressed_at;
    bool press_sent;
};

#define LINK_SILENCE 5000 /* after so many ms without the host the session ends and the LEDs go dark */
#define LINK_PRESS_AGAIN 100 /* an unheard press is sent again after so many ms */

void link_begin(struct link *link, uint8_t reset_cause);
void link_take(struct link *link, uint8_t byte, uint32_t now);
void link_tick(struct link *link, uint32_t now);
void link_press(struct link *link, uint8_t button, bool pressed);
void link_count(struct link *link, enum link_count what, uint8_t times);

#endif
