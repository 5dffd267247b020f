/*
 * Reads CSV files of PresentMon (versions 1 and 2) and of CapFrameX. Files of CapFrameX
 * have lines "//Name=Value" before the header:
 *
 *     Application,ProcessID,SwapChainAddress,…,TimeInSeconds,MsBetweenPresents,…
 *     FarCryNewDawn.exe,9208,0x00000259DAE0BCF0,…,10.924241,16.497,…
 *
 * A file may contain several programs, and each program may have several swap chains.
 */
#include "import/log/table.h"

#include <math.h>

#include "memory/memory.h"

struct columns {
    int application, pid, chain;
    int time; /* The time between two presents in ms. */
    /* Column of the time of the present, or of the frame's start. −1 if missing. */
    int clock;
    bool is_clock_of_start;
    double clock_unit_ns;
    /* The time since the display showed the frame before, from the present to the
     * display, and from the frame's start to the display, all in ms. −1 if missing. */
    int between_displays, until_displayed, latency;
    /* Column of the time for which the display showed the frame, in ms. −1 if there is no
     * such column. */
    int displayed;
    int dropped; /* 1 if the display never showed the frame. −1 if missing. */
    /* Column of the animation error in ms. −1 if there is no such column. */
    int animation_error;
    /* Column that says whether the program or a driver made the frame. −1 if there is no
     * such column. */
    int type;
};

static int find_first_column(const struct dj_log_table *table, const char *a,
                             const char *b)
{
    int found = dj_log_table_find_column(table, a);
    return found >= 0 ? found : dj_log_table_find_column(table, b);
}

/* The columns with the time of a frame, the best one first, and their usual units. */
static const struct clock {
    const char *name;
    bool is_start;
    double unit_ns;
} clocks[] = {{"TimeInSeconds", false, 1e9},
              {"TimeInMs", false, 1e6},
              {"CPUStartTime", true, 1e6},
              {"CPUStartQPCTime", true, 1e6}};

static void find_clock(const struct dj_log_table *table, struct columns *columns)
{
    columns->clock = -1;
    for (size_t i = 0; i < COUNT_OF(clocks) && columns->clock < 0; i++) {
        columns->clock = dj_log_table_find_column(table, clocks[i].name);
        columns->is_clock_of_start = clocks[i].is_start;
        columns->clock_unit_ns = clocks[i].unit_ns;
    }
}

static struct columns find_columns(const struct dj_log_table *table)
{
    struct columns columns = {
        .application = dj_log_table_find_column(table, "Application"),
        .pid = dj_log_table_find_column(table, "ProcessID"),
        .chain = dj_log_table_find_column(table, "SwapChainAddress"),
        .time = find_first_column(table, "MsBetweenPresents", "FrameTime"),
        .between_displays = dj_log_table_find_column(table, "MsBetweenDisplayChange"),
        .until_displayed = dj_log_table_find_column(table, "MsUntilDisplayed"),
        .latency = find_first_column(table, "DisplayLatency", "MsDisplayLatency"),
        .displayed = find_first_column(table, "DisplayedTime", "MsDisplayedTime"),
        .dropped = dj_log_table_find_column(table, "Dropped"),
        .animation_error = find_first_column(table, "MsAnimationError", "AnimationError"),
        .type = dj_log_table_find_column(table, "FrameType"),
    };
    find_clock(table, &columns);
    return columns;
}

static bool is_presentmon(const struct dj_log_table *table)
{
    struct columns columns = find_columns(table);
    return columns.application >= 0 && columns.time >= 0;
}

static int64_t parse_pid(const struct dj_log_table *table, const struct columns *columns)
{
    double pid;
    return dj_log_parse_number(table, columns->pid, &pid) && pid >= 0 && pid < 1e15
               ? (int64_t)pid
               : -1;
}

static bool is_stream_of(const struct dj_log_stream *stream, const struct dj_str *name,
                         const struct dj_str *chain, int64_t pid)
{
    return stream->pid == pid &&
           dj_str_is(*name, stream->process != NULL ? stream->process : "") &&
           dj_str_is(*chain, stream->title != NULL ? stream->title : "");
}

/* Returns the stream with this title of the row's program. If there are too many streams,
 * adds a note and returns NULL. */
static struct dj_log_stream *find_stream(const struct dj_log_table *table,
                                         const struct columns *columns,
                                         const struct dj_str *chain, struct dj_log *log)
{
    const struct dj_str *name = &table->field[columns->application];
    int64_t pid = parse_pid(table, columns);
    for (size_t i = log->stream_count; i-- > 0;) {
        if (is_stream_of(&log->streams[i], name, chain, pid)) {
            return &log->streams[i];
        }
    }
    if (log->stream_count == DJ_LOG_STREAMS) {
        dj_log_add_bad_row(log, table->line,
                           "the file has more than the maximum of %d swap chains",
                           DJ_LOG_STREAMS);
        return NULL;
    }
    struct dj_log_stream *stream = dj_log_add_stream(log);
    stream->pid = pid;
    stream->process = name->length > 0 ? dj_xcopy(name->at, name->length) : NULL;
    stream->title = chain->length > 0 ? dj_xcopy(chain->at, chain->length) : NULL;
    return stream;
}

static int64_t compute_frame_end(const struct dj_log_table *table,
                                 const struct columns *columns,
                                 const struct dj_log_stream *stream, int64_t time_ns)
{
    double at;
    int64_t end_ns = stream->clock_ns + time_ns;
    if (dj_log_parse_number(table, columns->clock, &at) && at >= 0 &&
        at * columns->clock_unit_ns < 1e17) {
        end_ns = llround(at * columns->clock_unit_ns) +
                 (columns->is_clock_of_start ? time_ns : 0);
    }
    return end_ns >= stream->clock_ns ? end_ns : stream->clock_ns + time_ns;
}

static struct dj_str get_field(const struct dj_log_table *table, int field)
{
    static const struct dj_str none = {"", 0};
    return field >= 0 && (size_t)field < table->fields ? table->field[field] : none;
}

/* Returns whether a driver generated or repeated the frame, as FrameType says. */
static bool is_generated(const struct dj_log_table *table, const struct columns *columns)
{
    static const char *const drawn[] = {"",   "Application", "NotSet",
                                        "NA", "Unspecified", "Not set"};
    struct dj_str type = get_field(table, columns->type);
    for (size_t i = 0; i < COUNT_OF(drawn); i++) {
        if (dj_str_is(type, drawn[i])) {
            return false;
        }
    }
    return true;
}

/* Reads a time in ms that is above 0 and below 1e9. Returns 0 if there is none. */
static int64_t parse_time_ns(const struct dj_log_table *table, int field)
{
    double time;
    return field >= 0 && dj_log_parse_number(table, field, &time) && time > 0 &&
                   time < 1e9
               ? llround(time * 1e6)
               : 0;
}

/* Returns whether the log says that the display never showed the frame. */
static bool is_dropped(const struct dj_log_table *table, const struct columns *columns)
{
    double dropped;
    /* The first frame of a swap chain has no display change. */
    bool lacks_change = columns->between_displays >= 0 &&
                        parse_time_ns(table, columns->between_displays) == 0 &&
                        parse_time_ns(table, columns->until_displayed) == 0;
    bool lacks_time =
        columns->displayed >= 0 && parse_time_ns(table, columns->displayed) == 0;
    return (columns->dropped >= 0 &&
            dj_log_parse_number(table, columns->dropped, &dropped) && dropped > 0) ||
           lacks_change || (columns->between_displays < 0 && lacks_time);
}

/* Returns when the display showed the frame, or DJ_LOG_UNKNOWN. MsBetweenDisplayChange is
 * the time since any frame of the swap chain, also a generated one, was shown. */
static int64_t find_display(const struct dj_log_table *table,
                            const struct columns *columns,
                            const struct dj_log_stream *chain, int64_t end_ns,
                            int64_t time_ns)
{
    int64_t between_ns = parse_time_ns(table, columns->between_displays);
    int64_t until_ns = parse_time_ns(table, columns->until_displayed);
    int64_t latency_ns = parse_time_ns(table, columns->latency);
    if (is_dropped(table, columns)) {
        return DJ_LOG_UNKNOWN;
    }
    if (between_ns > 0 && chain->display_ns != DJ_LOG_UNKNOWN) {
        return chain->display_ns + between_ns;
    }
    if (until_ns > 0) {
        return end_ns + until_ns;
    }
    if (latency_ns > 0) {
        return end_ns - time_ns + latency_ns;
    }
    if (columns->displayed >= 0 && chain->next_display_ns != DJ_LOG_UNKNOWN) {
        return chain->next_display_ns;
    }
    /* The latency of the first display is unknown. Figures use only differences. */
    int64_t first_ns =
        between_ns > 0 ? between_ns : parse_time_ns(table, columns->displayed);
    return first_ns > 0 ? end_ns + first_ns : DJ_LOG_UNKNOWN;
}

/* Sets the display's time of the last frame of `stream`, and that of its content.
 * MsAnimationError is the time between the contents of two frames that the program drew,
 * minus the time between their displays. */
static void set_display(const struct dj_log_table *table, const struct columns *columns,
                        struct dj_log_stream *stream, int64_t display_ns)
{
    struct dj_log_frame *frame = &stream->frames[stream->frame_count - 1];
    double error;
    frame->display_ns = display_ns;
    stream->has_display = true;
    if (stream->is_generated || columns->animation_error < 0) {
        return;
    }
    bool follows = stream->drawn_display_ns != DJ_LOG_UNKNOWN &&
                   dj_log_parse_number(table, columns->animation_error, &error) &&
                   fabs(error) < 1e6;
    frame->content_ns = follows ? stream->drawn_content_ns + display_ns -
                                      stream->drawn_display_ns + llround(error * 1e6)
                                : display_ns;
    stream->has_content = true;
    stream->drawn_display_ns = display_ns;
    stream->drawn_content_ns = frame->content_ns;
}

/* Adds a frame that the program did not draw to a stream of its own. */
static int add_generated(const struct dj_log_table *table, const struct columns *columns,
                         struct dj_log *log, const struct dj_log_frame *frame,
                         struct dj_error *err)
{
    struct dj_text title = {0};
    struct dj_str chain = get_field(table, columns->chain);
    struct dj_str type = get_field(table, columns->type);
    dj_text_append(&title, chain.at, chain.length);
    dj_text_add(&title, " generated: ");
    dj_text_append(&title, type.at, type.length);
    dj_xtext(&title);
    struct dj_str name = {title.data, title.length};
    struct dj_log_stream *stream = find_stream(table, columns, &name, log);
    int64_t between_ns = parse_time_ns(table, columns->between_displays);
    int64_t shown_ns =
        between_ns > 0 ? between_ns : parse_time_ns(table, columns->displayed);
    int64_t time_ns = frame->time_ns > 0 ? frame->time_ns : shown_ns;
    int code = 0;
    if (stream != NULL && time_ns > 0) {
        /* If the log has no times, frame->end_ns is a sum over the program's own
         * frames, so it may be earlier than the clock of this stream. */
        int64_t end_ns = frame->end_ns >= stream->clock_ns ? frame->end_ns
                                                           : stream->clock_ns + time_ns;
        stream->is_generated = true;
        code = dj_log_add_frame(log, stream, end_ns, time_ns, err);
        if (code == 0 && frame->display_ns != DJ_LOG_UNKNOWN) {
            set_display(table, columns, stream, frame->display_ns);
        }
    }
    dj_text_finish(&title);
    return code;
}

static int read_row(const struct dj_log_table *table, const struct columns *columns,
                    struct dj_log *log, struct dj_error *err)
{
    char shown[64];
    double time;
    log->rows++;
    if (!dj_log_check_row(log, table)) {
        return 0;
    }
    bool number = dj_log_parse_number(table, columns->time, &time);
    if (!number || time < 0 || time > 1e9) {
        dj_log_add_bad_row(log, table->line, "expected ms between presents, found '%s'",
                           dj_log_escape_field(table, columns->time, shown));
        return 0;
    }
    struct dj_str chain = get_field(table, columns->chain);
    struct dj_log_stream *stream = find_stream(table, columns, &chain, log);
    if (stream == NULL) {
        return 0;
    }
    struct dj_log_frame frame = {.time_ns = llround(time * 1e6)};
    frame.end_ns = compute_frame_end(table, columns, stream, frame.time_ns);
    frame.display_ns = find_display(table, columns, stream, frame.end_ns, frame.time_ns);
    if (frame.display_ns != DJ_LOG_UNKNOWN) {
        stream->display_ns = frame.display_ns;
        stream->next_display_ns =
            frame.display_ns + parse_time_ns(table, columns->displayed);
    }
    if (is_generated(table, columns)) {
        return add_generated(table, columns, log, &frame, err);
    }
    /* The first present has no time, because there is no present before it. */
    if (frame.time_ns == 0) {
        return 0;
    }
    int code = dj_log_add_frame(log, stream, frame.end_ns, frame.time_ns, err);
    if (code == 0 && frame.display_ns != DJ_LOG_UNKNOWN) {
        set_display(table, columns, stream, frame.display_ns);
    }
    return code;
}

/* Returns whether the row is one of the program and swap chain of the row before it. */
static bool is_same_chain(const struct dj_log_table *table, const struct columns *columns,
                          struct dj_str before[3])
{
    const int fields[] = {columns->application, columns->pid, columns->chain};
    bool is_same = true;
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        struct dj_str field = get_field(table, fields[i]);
        is_same = is_same && dj_str_equal(field, before[i]);
        before[i] = field;
    }
    return is_same;
}

/* Sets the unit of the clock to s or ms, whichever matches the times between presents in
 * most rows. The column's name does not show it: CPUStartTime has both units, and with
 * --qpc_time_ms, PresentMon 2 writes ms in TimeInSeconds. */
static void choose_clock_unit(struct dj_log_table rows, struct columns *columns)
{
    struct dj_str before[3] = {{"", 0}, {"", 0}, {"", 0}};
    size_t in_s = 0;
    size_t in_ms = 0;
    double last = HUGE_VAL;
    while (dj_log_table_next(&rows)) {
        double at = HUGE_VAL; /* Unknown. */
        double time_ms = 0;
        bool is_next = is_same_chain(&rows, columns, before);
        dj_log_parse_number(&rows, columns->clock, &at);
        dj_log_parse_number(&rows, columns->time, &time_ms);
        if (is_next && at > last && at < HUGE_VAL && time_ms > 0) {
            bool is_ms =
                (at - last) / time_ms > 0.03; /* The ratio is 1 for ms and 0.001 for s. */
            in_ms += is_ms;
            in_s += !is_ms;
        }
        last = at;
    }
    if (in_s != in_ms) {
        columns->clock_unit_ns = in_s > in_ms ? 1e9 : 1e6;
    }
}

/* Reads the facts of the system from lines such as "//Processor=AMD Ryzen 7". */
static void read_facts(const struct dj_log_table *table, struct dj_log *log)
{
    struct dj_log_table above = {
        .at = log->text, .end = table->row.at, .separator = '\n'};
    while (dj_log_table_next(&above)) {
        struct dj_str row = above.row;
        const char *equals = memchr(row.at, '=', row.length);
        if (row.length > 2 && dj_str_begins(row, "//") && equals != NULL) {
            struct dj_str name = {row.at + 2, (size_t)(equals - row.at) - 2};
            struct dj_str value = {equals + 1,
                                   (size_t)(row.at + row.length - equals) - 1};
            dj_log_add_fact(log, name, value);
        }
    }
}

static int read_presentmon(struct dj_log_table *table, struct dj_log *log,
                           struct dj_error *err)
{
    struct columns columns = find_columns(table);
    int result = 0;
    log->unit = "ms";
    read_facts(table, log);
    choose_clock_unit(*table, &columns);
    while (result == 0 && dj_log_table_next(table)) {
        result = read_row(table, &columns, log, err);
    }
    return result;
}

const struct dj_log_format dj_log_presentmon = {"presentmon", "PresentMon log",
                                                is_presentmon, read_presentmon};
