#include "board.h"

#include <avr/interrupt.h>
#include <util/atomic.h>

#define IN_SIZE 128 /* powers of two */
#define OUT_SIZE 128

static uint8_t in[IN_SIZE], out[OUT_SIZE];
static volatile uint8_t in_head, in_tail, out_head, out_tail, overruns;

ISR(USART_RX_vect)
{
    uint8_t flags = UCSR0A;
    uint8_t byte = UDR0;
    uint8_t next = (in_head + 1) & (IN_SIZE - 1);
    if ((flags & (_BV(DOR0) | _BV(FE0))) || next == in_tail)
        overruns += overruns < 255;
    if (next == in_tail)
        return;
    in[in_head] = byte;
    in_head = next;
}

ISR(USART_UDRE_vect)
{
    if (out_tail == out_head) {
        UCSR0B &= ~_BV(UDRIE0);
        return;
    }
    UDR0 = out[out_tail];
    out_tail = (out_tail + 1) & (OUT_SIZE - 1);
}

void serial_begin(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = (F_CPU + 4 * BAUD_RATE) / (8 * BAUD_RATE) - 1;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

int16_t serial_take(void)
{
    if (in_tail == in_head)
        return -1;
    uint8_t byte = in[in_tail];
    in_tail = (in_tail + 1) & (IN_SIZE - 1);
    return byte;
}

uint8_t serial_overruns(void)
{
    uint8_t seen;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        seen = overruns;
        overruns = 0;
    }
    return seen;
}

/* A frame that does not fit is dropped whole: the host asks again, and we never wait for it. */
void serial_send(const uint8_t *wire, uint8_t length)
{
    uint8_t used = (out_head - out_tail) & (OUT_SIZE - 1);
    if (length >= OUT_SIZE - used)
        return;
    while (length--) {
        out[out_head] = *wire++;
        out_head = (out_head + 1) & (OUT_SIZE - 1);
    }
    UCSR0B |= _BV(UDRIE0);
}
