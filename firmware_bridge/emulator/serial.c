/* The serial line: a pty on one side, the chip's UART at exactly 115,200 baud on the other. */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <simavr/avr_uart.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define BYTE_CYCLES (HERTZ * 10 / 115200)
#define ROOM 8192

static int outer = -1, inner = -1;
static uint8_t waiting[ROOM];
static unsigned first, held;
static avr_irq_t *to_chip;
static avr_cycle_count_t frame_start;
static bool within_frame;

static avr_cycle_count_t feed(avr_t *avr, avr_cycle_count_t when, void *unused)
{
    (void)avr, (void)unused;
    if (held) {
        if (waiting[first] && !within_frame)
            frame_start = when - BYTE_CYCLES; /* the byte has been on the line since then */
        within_frame = waiting[first] != 0;
        avr_raise_irq(to_chip, waiting[first]);
        first = (first + 1) % ROOM;
        held--;
    }
    return when + BYTE_CYCLES;
}

static void from_chip(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)unused;
    uint8_t byte = value;
    if (outer >= 0 && write(outer, &byte, 1) < 0 && errno != EAGAIN)
        perror("pty");
}

avr_cycle_count_t serial_frame_start(void)
{
    return frame_start;
}

void serial_plug(void)
{
    char path[128];
    struct termios raw;
    if (outer >= 0)
        return;
    memset(&raw, 0, sizeof raw);
    cfmakeraw(&raw);
    if (openpty(&outer, &inner, path, &raw, NULL) < 0) {
        perror("openpty");
        _exit(1);
    }
    fcntl(outer, F_SETFL, O_NONBLOCK);
    fprintf(report, "{\"event\":\"port\",\"path\":\"%s\"}\n", path);
}

void serial_unplug(void)
{
    close(inner);
    close(outer);
    inner = outer = -1;
    held = 0;
    fprintf(report, "{\"event\":\"unplugged\"}\n");
}

void serial_poll(void)
{
    uint8_t chunk[512];
    if (outer < 0 || ROOM - held < sizeof chunk)
        return;
    ssize_t count = read(outer, chunk, sizeof chunk);
    for (ssize_t i = 0; i < count; i++)
        waiting[(first + held++) % ROOM] = chunk[i];
}

void serial_after_reset(avr_t *avr)
{
    avr_cycle_timer_register(avr, BYTE_CYCLES, feed, NULL);
}

void serial_attach(avr_t *avr)
{
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    to_chip = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), from_chip, NULL);
    serial_after_reset(avr);
    serial_plug();
}
