/* runner FIRMWARE.elf [--free]
 *
 * Prints one JSON object a line: port, leds, tone, reset, jumped, slip, crashed. Takes commands on stdin, one a line:
 *   pin BUTTON LEVEL | edges BUTTON US... | reset | jump ADDRESS | unplug | plug | slip | quit
 * and ends when stdin does. Without --free it keeps step with the wall clock.
 */
#include "runner.h"

#include <poll.h>
#include <simavr/sim_elf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHUNK CYCLES(500)
#define TOO_LATE_NS 50000000LL

FILE *report;
static bool was_reset;
static void (*chip_reset)(avr_t *avr);
static int64_t worst_slip;

uint64_t wall_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr, (void)cycles; /* pace() alone keeps time */
}

static void on_reset(avr_t *avr)
{
    if (chip_reset)
        chip_reset(avr);
    was_reset = true;
}

static void after_reset(avr_t *avr)
{
    was_reset = false;
    serial_after_reset(avr);
    pins_after_reset(avr);
    fprintf(report, "{\"event\":\"reset\",\"us\":%llu}\n", (unsigned long long)(avr->cycle / 16));
}

static bool run_chunk(avr_t *avr)
{
    avr_cycle_count_t end = avr->cycle + CHUNK;
    while (avr->cycle < end) {
        int state = avr_run(avr);
        if (was_reset)
            after_reset(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(report, "{\"event\":\"crashed\",\"pc\":%u}\n", avr->pc);
            return false;
        }
    }
    return true;
}

static void edges(avr_t *avr, char *words)
{
    uint32_t offsets[64];
    int count = 0, button = strtol(words, &words, 10);
    for (char *next = words; count < 64; words = next) {
        offsets[count] = strtoul(words, &next, 10);
        if (next == words)
            break;
        count++;
    }
    pins_edges(avr, button, offsets, count);
}

static void external_reset(avr_t *avr)
{
    avr_reset(avr);
    avr_regbit_clear(avr, avr->reset_flags.porf);
    avr_regbit_set(avr, avr->reset_flags.extrf);
    after_reset(avr);
}

static bool obey(avr_t *avr, char *line)
{
    int button, level;
    unsigned address;
    if (sscanf(line, "pin %d %d", &button, &level) == 2)
        pins_set(avr, button, level);
    else if (!strncmp(line, "edges ", 6))
        edges(avr, line + 6);
    else if (!strcmp(line, "reset"))
        external_reset(avr);
    else if (sscanf(line, "jump %x", &address) == 1) {
        avr->pc = address;
        fprintf(report, "{\"event\":\"jumped\",\"us\":%llu}\n", (unsigned long long)(avr->cycle / 16));
    } else if (!strcmp(line, "unplug"))
        serial_unplug();
    else if (!strcmp(line, "plug"))
        serial_plug();
    else if (!strcmp(line, "slip"))
        fprintf(report, "{\"event\":\"slip\",\"us\":%lld}\n", (long long)worst_slip / 1000);
    else if (!strcmp(line, "quit"))
        return false;
    else
        fprintf(report, "{\"event\":\"unknown command\"}\n");
    return true;
}

/* False when told to quit or when whoever started us is gone. */
static bool commands(avr_t *avr)
{
    static char line[1024];
    static unsigned length;
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&ready, 1, 0) > 0) {
        char letter;
        if (read(STDIN_FILENO, &letter, 1) != 1)
            return false;
        if (letter != '\n' && length < sizeof line - 1) {
            line[length++] = letter;
            continue;
        }
        line[length] = 0;
        length = 0;
        if (!obey(avr, line))
            return false;
    }
    return true;
}

/* Sleeps until the wall clock has caught up with the chip's. */
static void pace(const avr_t *avr)
{
    static int64_t offset;
    int64_t chip = avr->cycle * 1000 / 16, wall = wall_ns();
    if (!offset)
        offset = wall - chip;
    int64_t late = wall - offset - chip;
    if (late > worst_slip)
        worst_slip = late;
    if (late > TOO_LATE_NS)
        offset = wall - chip; /* too far behind to catch up without a burst */
    else if (late < 0)
        nanosleep(&(struct timespec){.tv_nsec = -late}, NULL);
}

static avr_t *make_chip(const char *path)
{
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(path, &firmware)) {
        fprintf(stderr, "runner: cannot read %s\n", path);
        exit(1);
    }
    avr_global_logger_set(quiet);
    avr_t *avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr->frequency = HERTZ;
    avr->sleep = no_sleep;
    avr_load_firmware(avr, &firmware);
    chip_reset = avr->reset;
    avr->reset = on_reset;
    return avr;
}

int main(int count, char **words)
{
    if (count < 2) {
        fprintf(stderr, "usage: runner FIRMWARE.elf [--free]\n");
        return 2;
    }
    bool free_run = count > 2 && !strcmp(words[2], "--free");
    report = fdopen(dup(STDOUT_FILENO), "w");
    setvbuf(report, NULL, _IOLBF, 0);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    avr_t *avr = make_chip(words[1]);
    serial_attach(avr);
    pins_attach(avr);
    while (commands(avr) && run_chunk(avr)) {
        serial_poll();
        pins_poll(avr);
        if (!free_run)
            pace(avr);
    }
    return 0;
}
