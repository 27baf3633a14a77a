/* Pins: decodes the LED line bit by bit, hears the buzzer, moves the buttons. */
#include "runner.h"

#include <simavr/avr_ioport.h>
#include <stdlib.h>
#include <string.h>

#define STRIP 0 /* port B */
#define BUZZER 1
#define BUTTON_FIRST 2 /* port D */
#define BUTTONS 4
#define LATCH CYCLES(50)
#define SILENCE CYCLES(25000)
#define MAX_BITS (24 * 100)
#define MAX_EDGES 64
#define MAX_PERIODS 512

struct range {
    uint32_t least, most;
};

static struct {
    uint8_t bytes[MAX_BITS / 8];
    unsigned bits;
    avr_cycle_count_t rise, fall, frame;
    bool high;
    struct range high0, high1, low0, low1;
} strip;

static struct {
    avr_cycle_count_t first, last;
    uint32_t periods[MAX_PERIODS];
    unsigned rises;
    bool high;
} tone;

static struct {
    int level;
    avr_cycle_count_t at[MAX_EDGES];
    int count, next;
} buttons[BUTTONS] = {{.level = 1}, {.level = 1}, {.level = 1}, {.level = 1}};

static avr_irq_t *port_d;
static avr_t *chip;

static void widen(struct range *range, uint32_t cycles)
{
    if (!range->most || cycles < range->least)
        range->least = cycles;
    if (cycles > range->most)
        range->most = cycles;
}

static void print_range(const char *name, struct range range)
{
    fprintf(report, ",\"%s\":[%u,%u]", name, range.least * 1000 / 16, range.most * 1000 / 16);
}

static void strip_done(void)
{
    fprintf(report, "{\"event\":\"leds\",\"us\":%llu,\"wall\":%llu,\"line_us\":%llu,\"bits\":%u,\"bytes\":\"",
            (unsigned long long)(strip.fall / 16), (unsigned long long)wall_ns(),
            (unsigned long long)((strip.fall - strip.frame) / 16), strip.bits);
    for (unsigned i = 0; i < (strip.bits + 7) / 8; i++)
        fprintf(report, "%02x", strip.bytes[i]);
    fprintf(report, "\"");
    print_range("t0h", strip.high0);
    print_range("t1h", strip.high1);
    print_range("t0l", strip.low0);
    print_range("t1l", strip.low1);
    fprintf(report, "}\n");
    memset(&strip, 0, sizeof strip);
}

static void strip_bit(avr_cycle_count_t now)
{
    uint32_t high = now - strip.rise;
    bool one = high >= CYCLES(1) * 9 / 16; /* 562 ns lies between both */
    widen(one ? &strip.high1 : &strip.high0, high);
    if (strip.bits < MAX_BITS)
        strip.bytes[strip.bits / 8] |= one << (7 - strip.bits % 8);
    strip.bits++;
}

static void strip_changed(avr_irq_t *irq, uint32_t level, void *unused)
{
    (void)irq, (void)unused;
    avr_cycle_count_t now = chip->cycle;
    if ((level != 0) == strip.high)
        return;
    if (level) {
        if (strip.bits && now - strip.fall > LATCH)
            strip_done();
        if (strip.bits) {
            bool one = strip.bytes[(strip.bits - 1) / 8] >> (7 - (strip.bits - 1) % 8) & 1;
            widen(one ? &strip.low1 : &strip.low0, now - strip.fall);
        }
        if (!strip.bits)
            strip.frame = serial_frame_start();
        strip.rise = now;
    } else {
        strip_bit(now);
        strip.fall = now;
    }
    strip.high = level != 0;
}

static void buzzer_changed(avr_irq_t *irq, uint32_t level, void *unused)
{
    (void)irq, (void)unused;
    bool rose = level && !tone.high;
    tone.high = level != 0;
    if (!rose)
        return;
    avr_cycle_count_t now = chip->cycle;
    if (!tone.rises++)
        tone.first = now;
    else
        tone.periods[tone.rises % MAX_PERIODS] = now - tone.last;
    tone.last = now;
}

static int ascending(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The pitch is the middle period: switching the timer on or off adds an odd edge. */
static void tone_done(void)
{
    unsigned count = tone.rises < MAX_PERIODS ? tone.rises : MAX_PERIODS;
    qsort(tone.periods, MAX_PERIODS, sizeof tone.periods[0], ascending);
    uint32_t middle = tone.periods[MAX_PERIODS - count / 2];
    double ms = (double)(tone.last - tone.first) * 1000 / HERTZ;
    if (tone.rises > 2)
        fprintf(report, "{\"event\":\"tone\",\"hertz\":%.1f,\"ms\":%.1f}\n", (double)HERTZ / middle, ms);
    memset(&tone, 0, sizeof tone);
}

void pins_poll(avr_t *avr)
{
    avr_cycle_count_t now = avr->cycle;
    if (strip.bits && !strip.high && now - strip.fall > LATCH)
        strip_done();
    if (tone.rises && now - tone.last > SILENCE)
        tone_done();
}

void pins_set(avr_t *avr, int button, int level)
{
    (void)avr;
    if (button < 0 || button >= BUTTONS)
        return;
    buttons[button].level = level;
    avr_raise_irq(port_d + BUTTON_FIRST + button, level);
}

static avr_cycle_count_t edge(avr_t *avr, avr_cycle_count_t when, void *which)
{
    (void)when;
    long button = (long)which;
    pins_set(avr, button, !buttons[button].level);
    if (++buttons[button].next < buttons[button].count)
        avr_cycle_timer_register(avr, buttons[button].at[buttons[button].next] - avr->cycle, edge, which);
    return 0;
}

/* Toggles a button after each of the given microseconds from now: contact bounce, to the microsecond. */
void pins_edges(avr_t *avr, int button, const uint32_t *offsets, int count)
{
    if (button < 0 || button >= BUTTONS || count < 1)
        return;
    for (int i = 0; i < count; i++)
        buttons[button].at[i] = avr->cycle + CYCLES(offsets[i] + 1);
    buttons[button].count = count;
    buttons[button].next = 0;
    avr_cycle_timer_register(avr, CYCLES(offsets[0] + 1), edge, (void *)(long)button);
}

/* simavr forgets what is connected to the pins when the chip resets; real buttons do not. */
void pins_after_reset(avr_t *avr)
{
    for (int button = 0; button < BUTTONS; button++) {
        avr_raise_irq(port_d + BUTTON_FIRST + button, !buttons[button].level);
        pins_set(avr, button, buttons[button].level);
    }
}

void pins_attach(avr_t *avr)
{
    chip = avr;
    port_d = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 0);
    avr_irq_t *port_b = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0);
    avr_irq_register_notify(port_b + STRIP, strip_changed, NULL);
    avr_irq_register_notify(port_b + BUZZER, buzzer_changed, NULL);
    pins_after_reset(avr);
}
