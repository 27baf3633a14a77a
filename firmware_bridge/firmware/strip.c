#include "board.h"

#include <stddef.h>
#include <util/atomic.h>
#include <util/delay.h>

#define WIRE_BYTES (3 * LEDS)
#define LATCH_US 300 /* newer LEDs want 280 us of silence before a picture */
#define BIT_US_X4 5 /* 1.25 us a bit, times four */
/* The budget, in units of one channel at brightness 1/255. */
#define BUDGET ((uint32_t)(BUDGET_MA - LEDS * IDLE_MA) * 255 / CHANNEL_MA)

#if BUDGET_MA <= LEDS
#error "BUDGET_MA must be more than the LEDs draw when dark"
#endif

static uint8_t wire[WIRE_BYTES + 1]; /* one more: shift_out() reads ahead */

void strip_begin(void)
{
    DDRB |= _BV(STRIP_PIN);
    _delay_us(LATCH_US); /* the pin floated until now: let the LEDs forget what they took for bits */
}

/* 20 cycles a bit: high for 6 (375 ns) is a zero, for 12 (750 ns) a one. Interrupts must be off. */
static void shift_out(const uint8_t *bytes, uint16_t count)
{
    uint8_t high = PORTB | _BV(STRIP_PIN), low = PORTB & ~_BV(STRIP_PIN), level = 0, left = 8, byte;
    asm volatile("ld   %[byte], %a[bytes]+ \n"
                 "1: out %[port], %[high]  \n" /* rise */
                 "lsl  %[byte]             \n"
                 "mov  %[level], %[low]    \n"
                 "brcc 2f                  \n"
                 "mov  %[level], %[high]   \n"
                 "2: nop                   \n"
                 "out  %[port], %[level]   \n" /* a zero falls here */
                 "dec  %[left]             \n"
                 "brne 3f                  \n"
                 "ld   %[byte], %a[bytes]+ \n"
                 "ldi  %[left], 8          \n"
                 "out  %[port], %[low]     \n" /* a one falls here */
                 "sbiw %[count], 1         \n"
                 "nop                      \n"
                 "rjmp .+0                 \n"
                 "brne 1b                  \n"
                 "rjmp 4f                  \n"
                 "3: rjmp .+0              \n"
                 "out  %[port], %[low]     \n" /* ... or here, within a byte */
                 "rjmp .+0                 \n"
                 "rjmp .+0                 \n"
                 "nop                      \n"
                 "rjmp 1b                  \n"
                 "4:                       \n"
                 : [byte] "=&r"(byte), [level] "+&r"(level), [left] "+&d"(left), [bytes] "+&e"(bytes),
                   [count] "+&w"(count)
                 : [port] "I"(_SFR_IO_ADDR(PORTB)), [high] "r"(high), [low] "r"(low)
                 : "memory");
}

/* The brightness (0..256) that keeps all LEDs together within the budget. */
static uint16_t affordable(uint8_t brightness, const uint8_t *colours)
{
    uint16_t sum = 0, scale = brightness ? brightness + 1 : 0;
    for (uint8_t i = 0; i < WIRE_BYTES; i++)
        sum += colours[i];
    if ((uint32_t)sum * scale > BUDGET * 256)
        scale = BUDGET * 256 / sum;
    return scale;
}

static void fill(uint16_t scale, const uint8_t *colours)
{
    for (uint8_t i = 0; i < WIRE_BYTES; i += 3) { /* WS2812 wants green first */
        wire[i] = colours[i + 1] * scale >> 8;
        wire[i + 1] = colours[i] * scale >> 8;
        wire[i + 2] = colours[i + 2] * scale >> 8;
    }
}

/* Shows `colours` (red, green, blue per LED), or darkness for NULL. */
void strip_show(uint8_t brightness, const uint8_t *colours)
{
    if (colours)
        fill(affordable(brightness, colours), colours);
    else
        for (uint8_t i = 0; i < WIRE_BYTES; i++)
            wire[i] = 0;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        shift_out(wire, WIRE_BYTES);
    }
    clock_catch_up((uint16_t)WIRE_BYTES * 8 * BIT_US_X4 / 4);
}
