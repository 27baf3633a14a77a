#include "link.h"

#include <string.h>

#define HERTZ_MIN 50
#define HERTZ_MAX 10000
#define BEEP_MAX_MS 2000

void link_count(struct link *link, enum link_count what, uint8_t times)
{
    uint16_t room = 0xffff - link->counts[what];
    link->counts[what] += times < room ? times : room;
}

static void reply(struct link *link, uint8_t kind, uint8_t sequence, const uint8_t *payload, uint8_t length)
{
    uint8_t wire[PROTO_HEADER + 32];
    const uint8_t head[PROTO_HEADER] = {PROTO_VERSION, link->session, sequence, kind};
    link->hardware->send(wire, proto_pack(wire, head, payload, length));
}

static void welcome(struct link *link, uint8_t sequence)
{
    const struct link_abilities *able = link->abilities;
    const uint8_t payload[] = {able->firmware[0], able->firmware[1], able->firmware[2], able->leds,
                               able->layout,      able->buttons,     able->features,    link->reset_cause};
    reply(link, KIND_WELCOME, sequence, payload, sizeof payload);
}

static void refuse(struct link *link, const uint8_t *head, uint8_t reason, enum link_count what)
{
    const uint8_t payload[] = {head[HEAD_KIND], reason, (uint8_t)(link->last_sequence + 1)};
    link_count(link, what, 1);
    reply(link, KIND_REFUSAL, head[HEAD_SEQUENCE], payload, sizeof payload);
}

static void status(struct link *link, uint8_t sequence, uint32_t now)
{
    uint8_t payload[4 + 2 * COUNTS];
    for (uint8_t i = 0; i < 4; i++)
        payload[i] = now >> (24 - 8 * i);
    for (uint8_t i = 0; i < COUNTS; i++) {
        payload[4 + 2 * i] = link->counts[i] >> 8;
        payload[5 + 2 * i] = link->counts[i] & 0xff;
    }
    reply(link, KIND_STATUS, sequence, payload, sizeof payload);
}

static void acknowledge(struct link *link, const uint8_t *head, uint32_t now)
{
    if (head[HEAD_KIND] == KIND_PING)
        status(link, head[HEAD_SEQUENCE], now);
    else
        reply(link, KIND_ACK, head[HEAD_SEQUENCE], &head[HEAD_KIND], 1);
}

static void forget_presses(struct link *link)
{
    link->first_press = link->waiting_presses = 0;
    link->press_number = 0;
    link->press_sent = false;
}

static void dark(struct link *link)
{
    link->hardware->show(0, NULL);
}

void link_begin(struct link *link, uint8_t reset_cause)
{
    link->session = 0;
    link->reset_cause = reset_cause;
    forget_presses(link);
    dark(link);
    welcome(link, 0); /* unasked, with session 0: tells a host that the board has started anew */
}

static void heard(struct link *link, const uint8_t *payload)
{
    if (!link->press_sent || payload[0] != link->press_number)
        return;
    link->first_press = (link->first_press + 1) % LINK_PRESSES;
    link->waiting_presses--;
    link->press_sent = false;
}

static uint16_t number(const uint8_t *bytes)
{
    return bytes[0] << 8 | bytes[1];
}

/* The reason not to do it, or 0 when it is done. */
static uint8_t carry_out(struct link *link, uint8_t kind, const uint8_t *payload, uint8_t length)
{
    switch (kind) {
    case KIND_PICTURE:
        if (length != 1 + 3 * link->abilities->leds)
            return REFUSED_LENGTH;
        link->hardware->show(payload[0], payload + 1);
        return 0;
    case KIND_BEEP:
        if (length != 4)
            return REFUSED_LENGTH;
        if (number(payload) < HERTZ_MIN || number(payload) > HERTZ_MAX || number(payload + 2) > BEEP_MAX_MS)
            return REFUSED_VALUE;
        link->hardware->beep(number(payload), number(payload + 2));
        return 0;
    case KIND_PING:
        return length ? REFUSED_LENGTH : 0;
    default:
        return REFUSED_KIND;
    }
}

static void greet(struct link *link, const uint8_t *head, uint8_t length, uint16_t crc)
{
    if (length || !head[HEAD_SESSION]) {
        refuse(link, head, length ? REFUSED_LENGTH : REFUSED_SESSION, COUNT_UNKNOWN);
        return;
    }
    link->session = head[HEAD_SESSION];
    link->last_sequence = head[HEAD_SEQUENCE];
    link->last_crc = crc;
    forget_presses(link);
    welcome(link, head[HEAD_SEQUENCE]);
}

/* A frame of the running session that is neither hello nor heard. */
static void in_order(struct link *link, const uint8_t *head, uint8_t length, uint16_t crc, uint32_t now)
{
    uint8_t sequence = head[HEAD_SEQUENCE];
    if (sequence == link->last_sequence && crc == link->last_crc) {
        link_count(link, COUNT_REPEATED, 1);
        acknowledge(link, head, now); /* our answer was lost: say it again, do nothing twice */
        return;
    }
    if (sequence != (uint8_t)(link->last_sequence + 1)) {
        refuse(link, head, REFUSED_ORDER, COUNT_ORDER);
        return;
    }
    uint8_t reason = carry_out(link, head[HEAD_KIND], head + PROTO_HEADER, length);
    if (reason) {
        refuse(link, head, reason, COUNT_UNKNOWN);
        return;
    }
    link->last_sequence = sequence;
    link->last_crc = crc;
    acknowledge(link, head, now);
}

static void frame(struct link *link, uint32_t now)
{
    const uint8_t *head = link->reader.raw;
    uint8_t length = link->reader.length - PROTO_HEADER;
    uint16_t crc = proto_crc(head, link->reader.length);
    if (head[HEAD_VERSION] != PROTO_VERSION) {
        refuse(link, head, REFUSED_VERSION, COUNT_UNKNOWN);
        return;
    }
    if (head[HEAD_KIND] == KIND_HELLO) {
        link->heard_at = now;
        greet(link, head, length, crc);
        return;
    }
    if (!link->session || head[HEAD_SESSION] != link->session) {
        refuse(link, head, REFUSED_SESSION, COUNT_SESSION);
        return;
    }
    link->heard_at = now;
    if (head[HEAD_KIND] == KIND_HEARD && length == 1)
        heard(link, head + PROTO_HEADER);
    else
        in_order(link, head, length, crc, now);
}

void link_take(struct link *link, uint8_t byte, uint32_t now)
{
    switch (proto_take(&link->reader, byte)) {
    case PROTO_MORE:
        break;
    case PROTO_FRAME:
        frame(link, now);
        break;
    case PROTO_MALFORMED:
        link_count(link, COUNT_MALFORMED, 1);
        break;
    case PROTO_BAD_CRC:
        link_count(link, COUNT_BAD_CRC, 1);
        break;
    case PROTO_TOO_LONG:
        link_count(link, COUNT_TOO_LONG, 1);
        break;
    }
}

void link_press(struct link *link, uint8_t button, bool pressed)
{
    if (!link->session)
        return; /* nobody listens: a press is never carried out later */
    if (link->waiting_presses == LINK_PRESSES) {
        link_count(link, COUNT_LOST_PRESSES, 1);
        return;
    }
    uint8_t place = (link->first_press + link->waiting_presses++) % LINK_PRESSES;
    link->presses[place] = button << 1 | pressed;
}

static void offer_press(struct link *link, uint32_t now)
{
    if (!link->waiting_presses || (link->press_sent && now - link->pressed_at < LINK_PRESS_AGAIN))
        return;
    if (!link->press_sent)
        link->press_number++;
    uint8_t press = link->presses[link->first_press];
    const uint8_t payload[] = {press >> 1, press & 1};
    link->press_sent = true;
    link->pressed_at = now;
    reply(link, KIND_PRESS, link->press_number, payload, sizeof payload);
}

void link_tick(struct link *link, uint32_t now)
{
    if (!link->session)
        return;
    if (now - link->heard_at >= LINK_SILENCE) {
        link->session = 0;
        forget_presses(link);
        dark(link);
        welcome(link, 0);
        return;
    }
    offer_press(link, now);
}
