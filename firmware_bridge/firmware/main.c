/* Santorini lights and buttons: takes pictures from the serial line, shows them, reports presses. */
#include "board.h"
#include "link.h"

#include <avr/interrupt.h>
#include <avr/wdt.h>

static const struct link_abilities abilities = {
    .firmware = {1, 0, 0},
    .leds = LEDS,
    .layout = LAYOUT,
    .buttons = BUTTONS,
    .features = 1 | WATCHDOG << 1,
};
static const struct link_hardware hardware = {serial_send, strip_show, buzzer_beep};
static struct link link = {.abilities = &abilities, .hardware = &hardware};

static uint8_t reset_cause __attribute__((section(".noinit")));

/* After a watchdog reset the watchdog keeps running at its shortest time: stop it before anything else. */
void stop_watchdog(void) __attribute__((naked, used, section(".init3")));
void stop_watchdog(void)
{
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

static void changed(uint8_t button, uint8_t pressed)
{
    link_press(&link, button, pressed);
}

static void every_millisecond(uint32_t now)
{
    buttons_tick(changed);
    buzzer_tick(now);
    link_tick(&link, now);
    link_count(&link, COUNT_OVERRUN, serial_overruns());
    if (link.session)
        PORTB |= _BV(LIFE_PIN);
    else
        PORTB &= ~_BV(LIFE_PIN);
}

static void begin(void)
{
    DDRB |= _BV(LIFE_PIN);
    strip_begin();
    buzzer_begin();
    buttons_begin();
    clock_begin();
    serial_begin();
    sei();
    link_begin(&link, reset_cause);
    if (WATCHDOG)
        wdt_enable(WDTO_500MS);
}

int main(void)
{
    begin();
    for (uint32_t last = clock_now();;) {
        uint32_t now = clock_now();
        for (int16_t byte; (byte = serial_take()) >= 0;)
            link_take(&link, byte, now);
        if (now != last) {
            last = now;
            wdt_reset(); /* only while the clock runs: a dead timer counts as a hang too */
            every_millisecond(now);
        }
    }
}
