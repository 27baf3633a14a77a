#include "board.h"

static uint8_t settled; /* bit n: button n is held */
static uint8_t steady_for[BUTTONS];

static uint8_t held(void)
{
    return (~BUTTON_PINS & BUTTON_MASK) >> BUTTON_FIRST;
}

void buttons_begin(void)
{
    BUTTON_PORT |= BUTTON_MASK; /* pull-ups: a button connects its pin to ground */
    settled = 0;
}

/* Call once a millisecond. A button changes only after DEBOUNCE_MS equal samples in a row. */
void buttons_tick(void (*changed)(uint8_t button, uint8_t pressed))
{
    uint8_t differs = held() ^ settled;
    for (uint8_t button = 0; button < BUTTONS; button++) {
        uint8_t bit = 1 << button;
        if (!(differs & bit)) {
            steady_for[button] = 0;
        } else if (++steady_for[button] >= DEBOUNCE_MS) {
            steady_for[button] = 0;
            settled ^= bit;
            changed(button, (settled & bit) != 0);
        }
    }
}
