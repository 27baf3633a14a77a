#include "board.h"

static uint32_t ends_at, now_seen;

void buzzer_begin(void)
{
    DDRB |= _BV(BUZZER_PIN);
}

/* The timer toggles the pin by itself, so the tone is steady while the LEDs shift out. */
void buzzer_beep(uint16_t hertz, uint16_t milliseconds)
{
    OCR1A = F_CPU / 16 / hertz - 1;
    TCNT1 = 0;
    ends_at = now_seen + milliseconds;
    TCCR1A = _BV(COM1A0);
    TCCR1B = _BV(WGM12) | _BV(CS11); /* clear on compare, 16 MHz / 8 */
}

void buzzer_tick(uint32_t now)
{
    now_seen = now;
    if ((TCCR1B & _BV(CS11)) && (int32_t)(now - ends_at) >= 0) {
        TCCR1B = 0;
        TCCR1A = 0;
        PORTB &= ~_BV(BUZZER_PIN);
    }
}
