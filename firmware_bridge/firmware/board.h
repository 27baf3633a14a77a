/* The one place that names pins and sizes. docs/hardware.md shows the wiring. */
#ifndef BOARD_H
#define BOARD_H

#include <avr/io.h>

#ifndef LEDS
#define LEDS 25
#endif
#ifndef LAYOUT /* 0: own map, 1: under-25, 2: ring-20 */
#define LAYOUT 1
#endif
#ifndef BUDGET_MA /* what all LEDs together may draw */
#define BUDGET_MA 400
#endif
#ifndef WATCHDOG
#define WATCHDOG 1
#endif

#define MAX_LEDS 80
#if LEDS < 1 || LEDS > MAX_LEDS
#error "LEDS must be 1 to 80: a picture has to fit in one frame"
#endif

#define BAUD_RATE 115200UL
#define BUTTONS 4
#define BUTTON_PORT PORTD
#define BUTTON_PINS PIND
#define BUTTON_FIRST PD2 /* D2, D3, D4, D5 */
#define BUTTON_MASK (0x0f << BUTTON_FIRST)
#define DEBOUNCE_MS 10

#define STRIP_PIN PB0 /* D8 */
#define BUZZER_PIN PB1 /* D9 = OC1A */
#define LIFE_PIN PB5 /* D13, the LED on the board: lit while a host talks */

#define CHANNEL_MA 20 /* one colour of one LED at full brightness */
#define IDLE_MA 1 /* the chip in each LED */

void clock_begin(void);
uint32_t clock_now(void);
void clock_catch_up(uint16_t microseconds);

void serial_begin(void);
int16_t serial_take(void); /* a byte, or -1 */
uint8_t serial_overruns(void);
void serial_send(const uint8_t *wire, uint8_t length);

void strip_begin(void);
void strip_show(uint8_t brightness, const uint8_t *colours);

void buzzer_begin(void);
void buzzer_beep(uint16_t hertz, uint16_t milliseconds);
void buzzer_tick(uint32_t now);

void buttons_begin(void);
void buttons_tick(void (*changed)(uint8_t button, uint8_t pressed));

#endif
