/* The firmware's own proto.c and link.c, built for a PC, with pins and serial line replaced by memory. */
#include "link.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 65536

struct board {
    struct link link;
    struct link_abilities abilities;
    uint8_t said[ROOM];
    unsigned said_length, shows, beeps;
    uint8_t brightness;
    uint8_t colours[256];
    uint16_t hertz, milliseconds;
};

static struct board *current; /* the firmware's callbacks carry no context: there is one board in a chip */

static void send(const uint8_t *wire, uint8_t length)
{
    if (current->said_length + length > ROOM)
        abort();
    memcpy(current->said + current->said_length, wire, length);
    current->said_length += length;
}

static void show(uint8_t brightness, const uint8_t *colours)
{
    current->shows++;
    current->brightness = brightness;
    memset(current->colours, 0, sizeof current->colours);
    if (colours)
        memcpy(current->colours, colours, 3 * current->abilities.leds);
}

static void beep(uint16_t hertz, uint16_t milliseconds)
{
    current->beeps++;
    current->hertz = hertz;
    current->milliseconds = milliseconds;
}

static const struct link_hardware hardware = {send, show, beep};

struct board *board_new(uint8_t leds)
{
    struct board *board = calloc(1, sizeof *board);
    board->abilities = (struct link_abilities){{1, 0, 0}, leds, 1, 4, 3};
    board->link.abilities = &board->abilities;
    board->link.hardware = &hardware;
    current = board;
    link_begin(&board->link, 1);
    return board;
}

void board_free(struct board *board)
{
    free(board);
}

/* Gives how many bytes of `said` the board has to say. */
unsigned board_take(struct board *board, const uint8_t *data, unsigned length, uint32_t now)
{
    current = board;
    for (unsigned i = 0; i < length; i++)
        link_take(&board->link, data[i], now);
    link_tick(&board->link, now);
    unsigned said = board->said_length;
    board->said_length = 0;
    return said;
}

const uint8_t *board_said(const struct board *board)
{
    return board->said;
}

void board_press(struct board *board, uint8_t button, int down)
{
    link_press(&board->link, button, down);
}

unsigned board_shows(const struct board *board)
{
    return board->shows;
}

const uint8_t *board_colours(const struct board *board)
{
    return board->colours;
}

unsigned board_beeps(const struct board *board)
{
    return board->beeps;
}

unsigned board_count(const struct board *board, unsigned what)
{
    return board->link.counts[what];
}

/* What the reader makes of bytes: the result of the last one that was not PROTO_MORE. */
int read_wire(const uint8_t *wire, unsigned length, uint8_t *raw, uint8_t *raw_length)
{
    static struct proto_reader reader;
    int last = PROTO_MORE;
    for (unsigned i = 0; i < length; i++) {
        int result = proto_take(&reader, wire[i]);
        if (result != PROTO_MORE)
            last = result;
    }
    if (last == PROTO_FRAME)
        memcpy(raw, reader.raw, *raw_length = reader.length);
    return last;
}
