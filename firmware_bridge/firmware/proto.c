#include "proto.h"

#ifdef __AVR__
#include <util/crc16.h>
#else
/* The same polynomial as avr-libc's inline assembly, for building on a PC. */
static uint16_t _crc_xmodem_update(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)byte << 8;
    for (uint8_t bit = 0; bit < 8; bit++)
        crc = crc & 0x8000 ? (uint16_t)(crc << 1) ^ 0x1021 : (uint16_t)(crc << 1);
    return crc;
}
#endif

#define CRC_START 0xffff

uint16_t proto_crc(const uint8_t *data, uint8_t length)
{
    uint16_t crc = CRC_START;
    while (length--)
        crc = _crc_xmodem_update(crc, *data++);
    return crc;
}

static void begin(struct proto_reader *reader)
{
    reader->length = 0;
    reader->left = 0;
    reader->zero_due = false;
    reader->started = false;
    reader->too_long = false;
}

static void keep(struct proto_reader *reader, uint8_t byte)
{
    if (reader->length == PROTO_MAX_RAW)
        reader->too_long = true;
    else
        reader->raw[reader->length++] = byte;
}

static enum proto_result judge(struct proto_reader *reader)
{
    if (!reader->started)
        return PROTO_MORE; /* an empty frame: a delimiter sent to be sure */
    if (reader->too_long)
        return PROTO_TOO_LONG;
    if (reader->left || reader->length < PROTO_HEADER + 2)
        return PROTO_MALFORMED;
    reader->length -= 2;
    const uint8_t *sent = reader->raw + reader->length;
    uint16_t crc = proto_crc(reader->raw, reader->length);
    return crc == (uint16_t)(sent[0] << 8 | sent[1]) ? PROTO_FRAME : PROTO_BAD_CRC;
}

enum proto_result proto_take(struct proto_reader *reader, uint8_t byte)
{
    if (byte == 0) {
        enum proto_result result = judge(reader);
        uint8_t length = reader->length;
        begin(reader);
        if (result == PROTO_FRAME)
            reader->length = length; /* for the caller; `started` is off, so the next byte starts anew */
        return result;
    }
    if (!reader->started) {
        begin(reader);
        reader->started = true;
        reader->left = byte - 1;
        reader->zero_due = byte != 0xff;
    } else if (reader->left == 0) {
        if (reader->zero_due)
            keep(reader, 0);
        reader->left = byte - 1;
        reader->zero_due = byte != 0xff;
    } else {
        reader->left--;
        keep(reader, byte);
    }
    return PROTO_MORE;
}

/* Appends one byte to a COBS run; `code` is the place of the run's length byte. */
static uint8_t stuff(uint8_t *wire, uint8_t *code, uint8_t at, uint8_t byte)
{
    if (byte) {
        wire[at] = byte;
        wire[*code]++;
    } else {
        *code = at;
        wire[at] = 1;
    }
    return at + 1;
}

uint8_t proto_pack(uint8_t *wire, const uint8_t *head, const uint8_t *payload, uint8_t length)
{
    uint16_t crc = CRC_START;
    uint8_t code = 0, at = 1;
    wire[0] = 1;
    for (uint8_t i = 0; i < PROTO_HEADER + length; i++) {
        uint8_t byte = i < PROTO_HEADER ? head[i] : payload[i - PROTO_HEADER];
        crc = _crc_xmodem_update(crc, byte);
        at = stuff(wire, &code, at, byte);
    }
    at = stuff(wire, &code, at, crc >> 8);
    at = stuff(wire, &code, at, crc & 0xff);
    wire[at++] = 0;
    return at;
}
