/* Frames of the lights-and-buttons protocol: COBS, CRC-16, header. No hardware here, so it also builds on a PC. */
#ifndef PROTO_H
#define PROTO_H

#include <stdbool.h>
#include <stdint.h>

#define PROTO_VERSION 1
#define PROTO_HEADER 4 /* version, session, sequence, kind */
#define PROTO_MAX_RAW 250 /* header + payload + CRC; small enough that COBS adds exactly one byte */
#define PROTO_MAX_PAYLOAD (PROTO_MAX_RAW - PROTO_HEADER - 2)
#define PROTO_MAX_WIRE (PROTO_MAX_RAW + 2)

/* From the host. */
enum { KIND_HELLO = 0x01, KIND_PICTURE = 0x02, KIND_BEEP = 0x03, KIND_PING = 0x04, KIND_HEARD = 0x05 };
/* From the board. */
enum { KIND_ACK = 0x80, KIND_WELCOME = 0x81, KIND_PRESS = 0x82, KIND_STATUS = 0x84, KIND_REFUSAL = 0x8f };

enum {
    REFUSED_VERSION = 1,
    REFUSED_KIND = 2,
    REFUSED_LENGTH = 3,
    REFUSED_ORDER = 4,
    REFUSED_SESSION = 5,
    REFUSED_VALUE = 6,
};

enum { HEAD_VERSION = 0, HEAD_SESSION = 1, HEAD_SEQUENCE = 2, HEAD_KIND = 3 };

/* What a byte led to. */
enum proto_result { PROTO_MORE, PROTO_FRAME, PROTO_MALFORMED, PROTO_BAD_CRC, PROTO_TOO_LONG };

/* Collects bytes until a frame is whole. After PROTO_FRAME, raw[0..length) is header + payload, CRC checked. */
struct proto_reader {
    uint8_t raw[PROTO_MAX_RAW];
    uint8_t length;
    uint8_t left; /* bytes until the next COBS code */
    bool zero_due; /* the last COBS block stands for a zero that is not written yet */
    bool started;
    bool too_long;
};

uint16_t proto_crc(const uint8_t *data, uint8_t length);
enum proto_result proto_take(struct proto_reader *reader, uint8_t byte);

/* Writes a whole frame, delimiter included, to wire[PROTO_MAX_WIRE] and returns its length. */
uint8_t proto_pack(uint8_t *wire, const uint8_t *head, const uint8_t *payload, uint8_t length);

#endif
