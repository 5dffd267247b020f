/* Reads --latency: the refresh period in ns, then up to 127 rows of the times at which a
 * frame was expected on the screen, was on the screen, and was ready:
 *
 *   16666667
 *   495498343153455	495498379510686	495498371345532
 *   495498384762148	9223372036854775807	495498412915686
 *   0	0	0
 *
 * The second frame is not yet on the screen. The last row is unused. */
#include <string.h>

#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

enum { PERIOD_LEAST_NS = 1000000, PERIOD_MOST_NS = 1000000000, COLUMNS = 3 };

/* Lower limit of times in ns. Without a refresh period, a row must have times from a
 * second after boot on. */
static const int64_t time_least_ns = 1000000000;

/* Reads numbers with blanks between them. Returns their number, or 0 if the line contains
 * anything else or more than three numbers. */
static size_t read_numbers(struct dj_str line, int64_t *numbers)
{
    size_t count = 0;
    while (line.length > 0) {
        if (count == COLUMNS || !dj_scan_number(&line, &numbers[count]) ||
            (line.length > 0 && !dj_scan_is_blank(line.at[0]))) {
            return 0;
        }
        count++;
        dj_scan_blanks(&line);
    }
    return count;
}

/* Returns whether the line has only characters of rows. */
static bool looks_like_row(struct dj_str line)
{
    for (size_t i = 0; i < line.length; i++) {
        if (!dj_gfxinfo_is_digit(line.at[i]) && !dj_scan_is_blank(line.at[i]) &&
            line.at[i] != '-') {
            return false;
        }
    }
    return line.length > 0;
}

static bool is_period(const struct dj_reader *reader, struct dj_str line)
{
    int64_t number[COLUMNS];
    return read_numbers(line, number) == 1 && !reader->truncated &&
           number[0] >= PERIOD_LEAST_NS && number[0] <= PERIOD_MOST_NS;
}

static bool is_time(int64_t time_ns)
{
    return time_ns >= time_least_ns;
}

static void add_row(struct dj_reader *reader, const int64_t *number, bool readable)
{
    struct dj_dump_surface *surface = dj_surface_get(reader);
    bool pending = readable && (number[0] == INT64_MAX || number[1] == INT64_MAX ||
                                number[2] == INT64_MAX);
    bool complete = readable && !pending && number[1] > 0;
    surface->row_count++;
    surface->pending_rows += pending;
    surface->complete_rows += complete;
    dj_surface_add_time(reader, complete ? number[1] : DJ_SURFACE_NO_TIME);
}

static void warn_of_row(struct dj_reader *reader, size_t count)
{
    if (reader->truncated) {
        dj_reader_warn(reader, "the text ends within a row of times");
    } else {
        dj_reader_warn(reader, "expected three times, found %s",
                       count == 1   ? "one number"
                       : count == 2 ? "two numbers"
                                    : "another line");
    }
}

/* Begins the rows of a layer. Returns false if there is no memory. */
static bool begin_rows(struct dj_reader *reader, int64_t period_ns)
{
    struct dj_surface_state *state = &reader->surface;
    size_t line = state->period_line;
    state->period_ns = 0;
    dj_surface_begin(reader, DJ_SURFACE_IN_LATENCY);
    struct dj_dump_surface *surface = dj_surface_begin_layer(
        reader, DJ_SURFACE_LATENCY,
        state->command == DJ_SURFACE_LATENCY_COMMAND ? dj_text_str(&state->command_layer)
                                                     : (struct dj_str){0});
    if (surface == NULL) {
        state->mode = DJ_SURFACE_OUTSIDE;
        return false;
    }
    state->command = DJ_SURFACE_NO_COMMAND;
    state->has_period = period_ns > 0;
    surface->line = period_ns > 0 ? line : surface->line;
    surface->refresh_ns = period_ns > 0 ? period_ns : -1;
    surface->row_count = 0;
    surface->complete_rows = 0;
    surface->pending_rows = 0;
    return true;
}

static void set_period(struct dj_reader *reader, struct dj_str line)
{
    struct dj_surface_state *state = &reader->surface;
    int64_t number[COLUMNS];
    read_numbers(line, number);
    state->period_ns = number[0];
    state->period_line = reader->line;
    state->is_period_certain = state->command == DJ_SURFACE_LATENCY_COMMAND ||
                               (!state->content_seen && !reader->seen);
}

void dj_surface_close_period(struct dj_reader *reader)
{
    struct dj_surface_state *state = &reader->surface;
    int64_t period_ns = state->period_ns;
    bool certain = state->is_period_certain;
    state->period_ns = 0;
    if (certain && begin_rows(reader, period_ns)) {
        state->mode = DJ_SURFACE_OUTSIDE;
        state->in_layer = false;
    }
}

bool dj_surface_begin_latency(struct dj_reader *reader, struct dj_str line)
{
    struct dj_surface_state *state = &reader->surface;
    int64_t number[COLUMNS];
    if (state->period_ns == 0 && !dj_gfxinfo_is_digit(line.at[0])) {
        return false;
    }
    size_t count = looks_like_row(line) ? read_numbers(line, number) : 1;
    bool row = count == COLUMNS &&
               (state->period_ns > 0 || state->command == DJ_SURFACE_LATENCY_COMMAND ||
                (is_time(number[0]) && is_time(number[1]) && is_time(number[2])));
    if (row) {
        if (begin_rows(reader, state->period_ns)) {
            add_row(reader, number, true);
        }
        return true;
    }
    if (state->period_ns > 0 && looks_like_row(line) && count != 1) {
        return begin_rows(reader, state->period_ns) &&
               dj_surface_read_latency(reader, line);
    }
    if (state->period_ns > 0) {
        state->is_period_certain =
            state->is_period_certain && (state->command == DJ_SURFACE_LATENCY_COMMAND);
        dj_surface_close_period(reader);
    }
    if (is_period(reader, line)) {
        set_period(reader, line);
        return true;
    }
    return false;
}

bool dj_surface_read_latency(struct dj_reader *reader, struct dj_str line)
{
    int64_t number[COLUMNS];
    if (!looks_like_row(line)) {
        return false;
    }
    if (is_period(reader, line)) {
        dj_surface_close(reader);
        set_period(reader, line);
        return true;
    }
    size_t count = read_numbers(line, number);
    if (count < COLUMNS) {
        warn_of_row(reader, count);
    }
    add_row(reader, number, count == COLUMNS);
    return true;
}

/* Removes rows that are probably other numbers: a single row without a period. */
void dj_surface_close_latency(struct dj_reader *reader)
{
    struct dj_surface_state *state = &reader->surface;
    if (state->in_layer && !state->has_period && !reader->failed &&
        dj_surface_get(reader)->layer == NULL && dj_surface_get(reader)->row_count < 2) {
        dj_gfxinfo_surface_truncate(&reader->dump->surfaces, state->index);
    }
}
