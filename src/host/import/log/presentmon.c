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
    /* The time of the present, and the start of the frame, both in s. −1 if there is no
     * such column. */
    int end, start;
};

static int find_first_column(const struct dj_log_table *table, const char *a,
                             const char *b)
{
    int found = dj_log_table_find_column(table, a);
    return found >= 0 ? found : dj_log_table_find_column(table, b);
}

static struct columns find_columns(const struct dj_log_table *table)
{
    return (struct columns){
        .application = dj_log_table_find_column(table, "Application"),
        .pid = dj_log_table_find_column(table, "ProcessID"),
        .chain = dj_log_table_find_column(table, "SwapChainAddress"),
        .time = find_first_column(table, "MsBetweenPresents", "FrameTime"),
        .end = dj_log_table_find_column(table, "TimeInSeconds"),
        .start = dj_log_table_find_column(table, "CPUStartTime"),
    };
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

/* Returns the stream of the row. If there are too many streams, adds a note and returns
 * NULL. */
static struct dj_log_stream *find_stream(const struct dj_log_table *table,
                                         const struct columns *columns,
                                         struct dj_log *log)
{
    static const struct dj_str none = {"", 0};
    const struct dj_str *name = &table->field[columns->application];
    const struct dj_str *chain =
        columns->chain >= 0 ? &table->field[columns->chain] : &none;
    int64_t pid = parse_pid(table, columns);
    for (size_t i = log->stream_count; i-- > 0;) {
        if (is_stream_of(&log->streams[i], name, chain, pid)) {
            return &log->streams[i];
        }
    }
    if (log->stream_count == DJ_LOG_STREAMS) {
        dj_log_add_bad_row(log, table->line, "more than the maximum of %d swap chains",
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
    double seconds;
    int64_t end_ns = stream->clock_ns + time_ns;
    if (dj_log_parse_number(table, columns->end, &seconds) && seconds >= 0 &&
        seconds < 1e8) {
        end_ns = llround(seconds * 1e9);
    } else if (dj_log_parse_number(table, columns->start, &seconds) && seconds >= 0 &&
               seconds < 1e8) {
        end_ns = llround(seconds * 1e9) + time_ns;
    }
    return end_ns >= stream->clock_ns ? end_ns : stream->clock_ns + time_ns;
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
    struct dj_log_stream *stream = find_stream(table, columns, log);
    int64_t time_ns = llround(time * 1e6);
    /* The first present has no time, because there is no present before it. */
    if (stream == NULL || time_ns == 0) {
        return 0;
    }
    int64_t end_ns = compute_frame_end(table, columns, stream, time_ns);
    return dj_log_add_frame(log, stream, end_ns, time_ns, err);
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
    while (result == 0 && dj_log_table_next(table)) {
        result = read_row(table, &columns, log, err);
    }
    return result;
}

const struct dj_log_format dj_log_presentmon = {"presentmon", "PresentMon log",
                                                is_presentmon, read_presentmon};
