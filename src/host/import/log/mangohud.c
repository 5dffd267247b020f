/*
 * Reads logs of MangoHud, and other logs with the columns "fps,frametime". MangoHud 0.6
 * writes µs:
 *
 *     os,cpu,gpu,ram,kernel,driver,cpuscheduler
 *     Debian GNU/Linux 12 (bookworm),AMD EPYC,,24684092,6.1.0,4.5 Mesa 22.3.6,
 *     fps,frametime,cpu_load,gpu_load,…,ram_used,elapsed
 *     483.559,2068,100,0,…,0.575634,958336530
 *
 * Later versions write ms. With log_versioning, "v1", a version and two lines of dashes
 * come before the headers. `elapsed` is the time in ns from the start of the log to the
 * end of the frame.
 */
#include "import/log/table.h"

#include <math.h>

static const struct unit {
    const char *name;
    double ns;
} units[] = {{"ms", 1e6}, {"us", 1e3}, {"s", 1e9}, {"ns", 1}};
enum { UNITS = COUNT_OF(units) };

/* The number of rows that match each unit, and the line of the first such row. */
struct votes {
    size_t count[UNITS], line[UNITS];
    size_t unmatched_line; /* The line of the first row that matches no unit. */
    /* Product fps × frametime of the first row that matches no unit. */
    double unmatched_product;
};

struct columns {
    int fps, time, elapsed;
};

struct reader {
    struct columns columns;
    const struct unit *unit;
    struct dj_log *log;
    /* Offset that is added to `elapsed`, because `elapsed` may go back in combined
     * logs. */
    int64_t base_ns;
    struct dj_error *err;
};

/* Returns whether fps × frametime is a second in this unit. A factor of 2 is accepted,
 * because fps may be a mean of several frames. */
static bool is_second(double product, const struct unit *unit)
{
    double second = 1e9 / unit->ns;
    return product >= second / 2 && product <= second * 2;
}

static void vote(struct votes *votes, double product, size_t line)
{
    for (size_t i = 0; i < UNITS; i++) {
        if (is_second(product, &units[i])) {
            votes->line[i] = votes->count[i]++ == 0 ? line : votes->line[i];
            return;
        }
    }
    if (votes->unmatched_line == 0) {
        votes->unmatched_line = line;
        votes->unmatched_product = product;
    }
}

/* Returns whether the row counts for the choice of the unit. A last line without a line
 * end may lack digits, so it counts only if there is no other row. */
static bool is_countable(const struct dj_log_table *table, const struct columns *columns,
                         size_t rows)
{
    bool may_be_truncated =
        !table->ended && columns->time == (int)table->header_fields - 1;
    return table->fields == table->header_fields && (rows == 0 || !may_be_truncated);
}

static void count_votes(struct dj_log_table table, const struct columns *columns,
                        struct votes *votes)
{
    double fps;
    double time;
    for (size_t rows = 0; dj_log_table_next(&table); rows++) {
        if (is_countable(&table, columns, rows) &&
            dj_log_parse_number(&table, columns->fps, &fps) &&
            dj_log_parse_number(&table, columns->time, &time) && fps > 0 && time > 0) {
            vote(votes, fps * time, table.line);
        }
    }
}

/* Chooses the unit that most rows match. If more than one row in twenty matches another
 * unit, returns an error. A few such rows are accepted, for example a very long frame
 * between short ones. */
static int choose_unit(const struct votes *votes, struct reader *reader)
{
    struct dj_log *log = reader->log;
    enum { ROWS_PER_OUTLIER = 20 };
    size_t best = 0;
    for (size_t i = 1; i < UNITS; i++) {
        best = votes->count[i] > votes->count[best] ? i : best;
    }
    if (votes->count[best] == 0 && votes->unmatched_line > 0) {
        log->error_line = votes->unmatched_line;
        return dj_error_set(reader->err, DJ_E_INVALID,
                            "fps × frametime is %.6g here; expected 1000 (frametime in "
                            "ms) or 1000000 (in us)",
                            votes->unmatched_product);
    }
    for (size_t i = 0; i < UNITS; i++) {
        if (i != best && votes->count[i] * ROWS_PER_OUTLIER > votes->count[best]) {
            bool later = votes->line[i] > votes->line[best];
            size_t here = later ? i : best;
            size_t there = later ? best : i;
            log->error_line = votes->line[here];
            return dj_error_set(reader->err, DJ_E_INVALID,
                                "frametime is in %s here and in %s in line %zu (by fps × "
                                "frametime); expected one unit in a log",
                                units[here].name, units[there].name, votes->line[there]);
        }
        if (i != best && votes->count[i] > 0) {
            dj_log_note(log, votes->line[i],
                        "by fps × frametime, this row is in %s; it is read in %s like "
                        "the other rows",
                        units[i].name, units[best].name);
        }
    }
    reader->unit = &units[best];
    log->unit = units[best].name;
    return 0;
}

/* Returns the time at which the frame ends, or −1 if the frame began before the log. If
 * `elapsed` goes back, as in combined logs, the frame follows the previous one. */
static int64_t compute_frame_end(const struct dj_log_table *table, struct reader *reader,
                                 int64_t time_ns)
{
    double elapsed;
    const struct dj_log_stream *stream = &reader->log->streams[0];
    int64_t last_ns = stream->clock_ns;
    if (!dj_log_parse_number(table, reader->columns.elapsed, &elapsed) || elapsed < 0 ||
        elapsed > 1e18) {
        return last_ns + time_ns;
    }
    int64_t end_ns = reader->base_ns + llround(elapsed);
    if (end_ns < last_ns) {
        dj_log_note(
            reader->log, table->line,
            "elapsed goes back: this row is read as the successor of the previous one");
        reader->base_ns += last_ns + time_ns - end_ns;
        return last_ns + time_ns;
    }
    /* An `elapsed` that was rounded to µs may be slightly smaller than the frame time,
     * which is accepted. */
    if (stream->frame_count == 0 && time_ns > end_ns + end_ns / 1000) {
        dj_log_add_bad_row(
            reader->log, table->line,
            "this frame began before the log (duration %.6g s, elapsed %.6g s); skipped",
            (double)time_ns / 1e9, (double)end_ns / 1e9);
        return -1;
    }
    return end_ns;
}

/* Returns whether the last line has no line end and its frame time does not match its
 * fps. If so, digits of the frame time are missing. */
static bool is_truncated(const struct dj_log_table *table, const struct reader *reader,
                         double time)
{
    double fps;
    return !table->ended && reader->columns.time == (int)table->header_fields - 1 &&
           dj_log_parse_number(table, reader->columns.fps, &fps) && fps > 0 &&
           !is_second(fps * time, reader->unit);
}

static int read_row(const struct dj_log_table *table, struct reader *reader)
{
    struct dj_log *log = reader->log;
    const struct unit *unit = reader->unit;
    char shown[64];
    double time;
    log->rows++;
    if (!dj_log_check_row(log, table)) {
        return 0;
    }
    if (!dj_log_parse_number(table, reader->columns.time, &time) || time <= 0 ||
        time * unit->ns > 1e18) {
        dj_log_add_bad_row(log, table->line,
                           "expected a frame time in %s above 0, found '%s'", unit->name,
                           dj_log_escape_field(table, reader->columns.time, shown));
        return 0;
    }
    if (is_truncated(table, reader, time)) {
        dj_log_add_bad_row(log, table->line, "the last line is truncated; skipped");
        return 0;
    }
    int64_t time_ns = llround(time * unit->ns);
    int64_t end_ns = time_ns > 0 ? compute_frame_end(table, reader, time_ns) : -1;
    if (end_ns < 0) {
        return 0;
    }
    return dj_log_add_frame(log, &log->streams[0], end_ns, time_ns, reader->err);
}

/* Finds out whether rows are samples, which MangoHud writes with log_interval. If they
 * are, the time between two rows is much longer than the frames. */
static void find_sampling(struct dj_log *log)
{
    const struct dj_log_stream *stream = &log->streams[0];
    size_t gaps = 0;
    for (size_t i = 1; i < stream->frame_count; i++) {
        const struct dj_log_frame *frame = &stream->frames[i];
        gaps += frame->end_ns - frame[-1].end_ns > frame->time_ns * 3 / 2;
    }
    if (stream->frame_count < 2 || gaps * 2 < stream->frame_count) {
        return;
    }
    int64_t whole_ns =
        stream->frames[stream->frame_count - 1].end_ns - stream->frames[0].end_ns;
    log->sample_ns = whole_ns / (int64_t)(stream->frame_count - 1);
    dj_log_note(log, 0,
                "each row is a sample, one in %.6g ms, and not every frame is logged: "
                "the %zu samples show how long frames took, not how many there were "
                "(MangoHud logs all frames with log_interval=0)",
                (double)log->sample_ns / 1e6, stream->frame_count);
}

static int read_rows(struct dj_log_table *table, const struct columns *columns,
                     struct dj_log *log, struct dj_error *err)
{
    struct votes votes = {0};
    struct reader reader = {.columns = *columns, .log = log, .err = err};
    dj_log_add_stream(log);
    count_votes(*table, columns, &votes);
    int result = choose_unit(&votes, &reader);
    while (result == 0 && dj_log_table_next(table)) {
        result = read_row(table, &reader);
    }
    find_sampling(log);
    return result;
}

static bool is_mangohud(const struct dj_log_table *table)
{
    return dj_log_table_find_column(table, "fps") >= 0 &&
           dj_log_table_find_column(table, "frametime") >= 0;
}

/* Reads the facts of the system from two lines before the header: "os,cpu,…" and their
 * values. */
static void read_facts(const struct dj_log_table *table, struct dj_log *log)
{
    struct dj_log_table above = {.at = log->text, .end = table->row.at, .separator = ','};
    bool found = false;
    while (!found && dj_log_table_next(&above)) {
        found = above.fields >= 3 && dj_str_is_caseless(above.field[0], "os");
    }
    if (!found) {
        return;
    }
    dj_log_table_set_header(&above);
    struct dj_log_table values = above;
    if (!dj_log_table_next(&values) || values.fields != above.header_fields) {
        dj_log_note(
            log, values.line,
            "expected %zu facts of the system as in the line above, found %zu; skipped",
            above.header_fields, values.fields);
        return;
    }
    for (size_t i = 0; i < above.header_fields; i++) {
        dj_log_add_fact(log, above.header[i], values.field[i]);
    }
}

static int read_mangohud(struct dj_log_table *table, struct dj_log *log,
                         struct dj_error *err)
{
    struct columns columns = {dj_log_table_find_column(table, "fps"),
                              dj_log_table_find_column(table, "frametime"),
                              dj_log_table_find_column(table, "elapsed")};
    read_facts(table, log);
    return read_rows(table, &columns, log, err);
}

const struct dj_log_format dj_log_mangohud = {"mangohud", "MangoHud log", is_mangohud,
                                              read_mangohud};

static bool is_summary(const struct dj_log_table *table)
{
    return dj_log_table_find_column(table, "0.1% Min FPS") >= 0 &&
           dj_log_table_find_column(table, "Average FPS") >= 0;
}

static int refuse_summary(struct dj_log_table *table, struct dj_log *log,
                          struct dj_error *err)
{
    log->error_line = table->line;
    return dj_error_set(err, DJ_E_INVALID,
                        "this is a MangoHud summary, which contains no frames: import "
                        "the log, which has the same name without _summary");
}

const struct dj_log_format dj_log_mangohud_summary = {
    "mangohud-summary", "MangoHud summary", is_summary, refuse_summary};

static bool is_bare(const struct dj_log_table *table)
{
    double number;
    return table->header_fields == 2 &&
           ((table->filled == 1 && dj_log_parse_number(table, 0, &number) &&
             dj_log_parse_number(table, 1, &number)) ||
            (dj_log_table_find_column(table, "fps") == 0 &&
             dj_log_table_find_column(table, "frametime") == 1));
}

static int read_bare(struct dj_log_table *table, struct dj_log *log, struct dj_error *err)
{
    struct columns columns = {.fps = 0, .time = 1, .elapsed = -1};
    double number;
    if (dj_log_parse_number(table, 0, &number)) {
        table->at = table->row.at;
        table->line--;
        dj_log_note(log, 0, "no header: the columns are read as fps,frametime");
    }
    return read_rows(table, &columns, log, err);
}

const struct dj_log_format dj_log_bare = {"fps-frametime", "log of fps,frametime",
                                          is_bare, read_bare};
