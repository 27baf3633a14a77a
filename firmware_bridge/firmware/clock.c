#include "board.h"

#include <avr/interrupt.h>
#include <util/atomic.h>

static volatile uint32_t milliseconds;
static uint16_t owed; /* microseconds during which ticks were missed */

ISR(TIMER0_COMPA_vect)
{
    milliseconds++;
}

void clock_begin(void)
{
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00); /* 16 MHz / 64 */
    OCR0A = 249; /* 1 kHz */
    TIMSK0 = _BV(OCIE0A);
}

uint32_t clock_now(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = milliseconds;
    }
    return now;
}

/* Interrupts were off for so long. One tick stays pending in the timer's flag, further ones are lost. */
void clock_catch_up(uint16_t microseconds)
{
    if (microseconds < 1000)
        return;
    owed += microseconds - 1000;
    while (owed >= 1000) {
        owed -= 1000;
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            milliseconds++;
        }
    }
}
