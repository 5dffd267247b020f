#include "gfxinfo/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/scan.h"

void dj_reader_warn(struct dj_reader *reader, const char *format, ...)
{
    struct dj_parse_report *report = reader->report;
    if (report->warning_count < DJ_PARSE_WARNINGS) {
        struct dj_parse_warning *warning = &report->warning[report->warning_count];
        va_list arguments;
        va_start(arguments, format);
        warning->line = reader->line;
        warning->byte = (size_t)(reader->line_at - reader->text);
        vsnprintf(warning->message, sizeof(warning->message), format, arguments);
        va_end(arguments);
    }
    report->warning_count++;
}

/* ---- where lines go ---- */

static void close_process(struct dj_reader *reader)
{
    dj_reader_close_framestats(reader);
    if (reader->process != NULL) {
        dj_reader_close_process(reader->process);
    }
    reader->process = NULL;
    reader->window = NULL;
}

struct dj_dump_process *dj_reader_next_process(struct dj_reader *reader)
{
    close_process(reader);
    if (reader->dump->process_count >= DJ_READER_PROCESSES) {
        dj_reader_warn(reader, "more than %d processes: passed over",
                       DJ_READER_PROCESSES);
        return NULL;
    }
    reader->seen = true;
    reader->process = dj_dump_add_process(reader->dump);
    reader->failed = reader->failed || reader->process == NULL;
    return reader->process;
}

struct dj_dump_process *dj_reader_process(struct dj_reader *reader)
{
    return reader->process != NULL ? reader->process : dj_reader_next_process(reader);
}

struct dj_dump_window *dj_reader_next_window(struct dj_reader *reader)
{
    dj_reader_close_framestats(reader);
    reader->window = NULL;
    struct dj_dump_process *process = dj_reader_process(reader);
    if (process == NULL) {
        return NULL;
    }
    if (reader->window_count >= DJ_READER_WINDOWS) {
        dj_reader_warn(reader, "more than %d windows: passed over", DJ_READER_WINDOWS);
        return NULL;
    }
    reader->window_count++;
    reader->window = dj_dump_add_window(process);
    reader->failed = reader->failed || reader->window == NULL;
    return reader->window;
}

struct dj_dump_window *dj_reader_window(struct dj_reader *reader)
{
    return reader->window != NULL ? reader->window : dj_reader_next_window(reader);
}

/* What cannot stand in a C string or in a line becomes a blank, and blanks at the ends
 * are nobody's: of the line's own indentation they could not be told. */
void dj_reader_keep(struct dj_reader *reader, char **string, struct dj_slice slice)
{
    char *copy = malloc(slice.length + 1);
    if (copy == NULL) {
        reader->failed = true;
        return;
    }
    size_t length = 0;
    for (size_t i = 0; i < slice.length; i++) {
        char c = slice.at[i] == '\0' || slice.at[i] == '\r' ? ' ' : slice.at[i];
        if (length > 0 || !dj_is_blank(c)) {
            copy[length++] = c;
        }
    }
    while (length > 0 && dj_is_blank(copy[length - 1])) {
        length--;
    }
    copy[length] = '\0';
    free(*string);
    *string = copy;
}

/* ---- lines outside blocks ---- */

static struct dj_slice after_word(struct dj_slice line, const char *word)
{
    size_t length = strlen(word);
    return (struct dj_slice){line.at + length, line.length - length};
}

static void read_service(struct dj_reader *reader, struct dj_slice rest)
{
    (void)rest;
    close_process(reader);
    reader->seen = true;
}

static void read_uptime(struct dj_reader *reader, struct dj_slice rest)
{
    const char *at = rest.at;
    const char *end = rest.at + rest.length;
    int64_t uptime_ms;
    int64_t realtime_ms;
    dj_scan_blanks(&at, end);
    if (!dj_scan_int64(&at, end, &uptime_ms) || uptime_ms < 0) {
        return;
    }
    dj_scan_blanks(&at, end);
    if (dj_scan_word(&at, end, DJ_REALTIME)) {
        dj_scan_blanks(&at, end);
        if (reader->dump->uptime_ms < 0 && dj_scan_int64(&at, end, &realtime_ms) &&
            realtime_ms >= 0) {
            reader->dump->uptime_ms = uptime_ms;
            reader->dump->realtime_ms = realtime_ms;
        }
    }
}

/* "** Graphics info for pid 1234 [com.x] **": the name may hold brackets of its own. */
static void read_process(struct dj_reader *reader, struct dj_slice rest)
{
    const char *at = rest.at;
    const char *end = rest.at + rest.length;
    struct dj_dump_process *process = dj_reader_next_process(reader);
    if (process == NULL) {
        return;
    }
    dj_scan_blanks(&at, end);
    if (!dj_scan_int64(&at, end, &process->pid)) {
        dj_reader_warn(reader, "expected a process number after \"" DJ_PROCESS "\"");
    }
    const char *open = memchr(at, '[', (size_t)(end - at));
    const char *close = memrchr(at, ']', (size_t)(end - at));
    if (open != NULL && close != NULL && open < close) {
        dj_reader_keep(reader, &process->name,
                       (struct dj_slice){open + 1, (size_t)(close - open - 1)});
    }
}

static void read_not_found(struct dj_reader *reader, struct dj_slice rest)
{
    const char *at = rest.at;
    dj_scan_blanks(&at, rest.at + rest.length);
    reader->seen = true;
    dj_reader_keep(reader, &reader->dump->not_found,
                   (struct dj_slice){at, (size_t)(rest.at + rest.length - at)});
}

static void read_pipeline(struct dj_reader *reader, struct dj_slice rest)
{
    if (reader->process != NULL && reader->process->pipeline == NULL) {
        dj_reader_keep(reader, &reader->process->pipeline, rest);
    }
}

static void read_profile(struct dj_reader *reader, struct dj_slice rest)
{
    (void)rest;
    dj_reader_process(reader);
    reader->window = NULL;
}

static void read_window(struct dj_reader *reader, struct dj_slice rest)
{
    if (!reader->seen) {
        return;
    }
    struct dj_dump_window *window = dj_reader_window(reader);
    if (window != NULL && (window->stats_title != NULL || window->stats.present)) {
        window = dj_reader_next_window(reader);
    }
    if (window != NULL) {
        dj_reader_keep(reader, &window->stats_title,
                       rest.length > 0 ? after_word(rest, " ") : rest);
    }
}

static void read_hierarchy(struct dj_reader *reader, struct dj_slice rest)
{
    (void)rest;
    reader->window = NULL;
}

static void read_denial(struct dj_reader *reader, struct dj_slice rest)
{
    (void)rest;
    dj_reader_warn(reader, "the device denied the permission to dump");
    reader->report->refusal = DJ_REFUSAL_DENIED;
}

static void read_failure(struct dj_reader *reader, struct dj_slice rest)
{
    (void)rest;
    dj_reader_warn(reader, "the app did not answer: its dump failed");
    reader->report->refusal = DJ_REFUSAL_FAILED;
}

static const struct opener {
    const char *word;
    void (*read)(struct dj_reader *reader, struct dj_slice rest);
} openers[] = {
    {DJ_SERVICE, read_service},
    {DJ_UPTIME, read_uptime},
    {DJ_PROCESS, read_process},
    {DJ_NOT_FOUND, read_not_found},
    {DJ_PIPELINE, read_pipeline},
    {DJ_PROFILE, read_profile},
    {DJ_WINDOW, read_window},
    {DJ_NOTE, dj_reader_note},
    {DJ_HIERARCHY, read_hierarchy},
    {"Failure while dumping the app", read_failure},
    {"Got a RemoteException while dumping", read_failure},
    {"Permission Denial: can't dump gfxinfo", read_denial},
};

static const struct opener *find_opener(struct dj_slice line)
{
    for (size_t i = 0; i < sizeof(openers) / sizeof(openers[0]); i++) {
        size_t length = strlen(openers[i].word);
        if (line.length >= length && memcmp(line.at, openers[i].word, length) == 0) {
            return &openers[i];
        }
    }
    return NULL;
}

/* "TITLE (visibility=0)". */
static bool split_title(struct dj_slice line, struct dj_slice *title, int *visibility)
{
    if (line.at[line.length - 1] != ')') {
        return false;
    }
    const char *end = line.at + line.length;
    const char *open = memrchr(line.at, '(', line.length);
    const char *at = open;
    int64_t number;
    if (open == NULL || !dj_scan_word(&at, end, &DJ_VISIBILITY[1]) ||
        !dj_scan_int64(&at, end, &number) || at != end - 1 || number < -1 ||
        number > 255) {
        return false;
    }
    *visibility = (int)number;
    *title = (struct dj_slice){line.at, (size_t)(open - line.at)};
    title->length -= title->length > 0 && title->at[title->length - 1] == ' ';
    return true;
}

/* What the section's quote leaves of a line: titles may begin with any sign, after their
 * tab. */
static struct dj_slice unquoted(const struct dj_reader *reader, struct dj_slice raw,
                                struct dj_slice stripped)
{
    struct dj_slice quote = reader->quote;
    if (quote.length == 0) {
        quote.at = raw.at;
    }
    if (raw.length < quote.length || memcmp(raw.at, quote.at, quote.length) != 0) {
        return stripped;
    }
    const char *at = raw.at + quote.length;
    return (struct dj_slice){at, (size_t)(stripped.at + stripped.length - at)};
}

static struct dj_slice without_indentation(struct dj_slice line)
{
    const char *at = line.at;
    dj_scan_blanks(&at, line.at + line.length);
    return (struct dj_slice){at, (size_t)(line.at + line.length - at)};
}

/* A tab tells the window titled "Window: x" from the line "Window: x (visibility=0)", and
 * so for all other lines that a title may look like. */
static bool is_title(const struct dj_reader *reader, struct dj_slice raw,
                     struct dj_slice line, bool other)
{
    struct dj_slice rest = unquoted(reader, raw, line);
    struct dj_slice title;
    int visibility;
    return (!other || rest.at[0] == '\t') &&
           split_title(without_indentation(rest), &title, &visibility);
}

static void read_title(struct dj_reader *reader, struct dj_slice raw,
                       struct dj_slice line)
{
    struct dj_slice title = {0};
    int visibility = -1;
    split_title(without_indentation(unquoted(reader, raw, line)), &title, &visibility);
    struct dj_dump_window *window = dj_reader_next_window(reader);
    if (window != NULL) {
        window->visibility = visibility;
        if (title.length > 0) {
            dj_reader_keep(reader, &window->title, title);
        }
    }
}

/* ---- lines ---- */

/* Quotes and indentation of mails, chats and Markdown, and the CRs of old adb and of
 * pasted text. */
static struct dj_slice strip(struct dj_slice line)
{
    const char *at = line.at;
    const char *end = line.at + line.length;
    while (at < end && (dj_is_blank(*at) || *at == '>' || *at == '|' || *at == '\r' ||
                        (*at == '*' && end - at > 1 && dj_is_blank(at[1])))) {
        at++;
    }
    while (end > at && (dj_is_blank(end[-1]) || end[-1] == '\r')) {
        end--;
    }
    return (struct dj_slice){at, (size_t)(end - at)};
}

/* Inside a block: true where the line was one of its own. */
static bool read_inside(struct dj_reader *reader, struct dj_slice line)
{
    switch (reader->state) {
    case DJ_READING_LINES:
        return false;
    case DJ_READING_HEADER:
        return dj_reader_header(reader, line);
    case DJ_READING_FRAMESTATS:
        return dj_reader_row(reader, line);
    case DJ_READING_PROFILE:
        if (dj_reader_profile_row(reader, line)) {
            return true;
        }
        reader->state = DJ_READING_LINES;
        return false;
    }
    return false;
}

/* A line that cannot stand inside a block ends it, marker or not. */
static void end_block(struct dj_reader *reader)
{
    if (reader->state != DJ_READING_LINES) {
        if (reader->marked) {
            dj_reader_warn(reader, "framestats block without a closing " DJ_MARKER);
        }
        dj_reader_close_framestats(reader);
    }
}

static void read_line(struct dj_reader *reader, struct dj_slice raw)
{
    struct dj_slice line = strip(raw);
    if (line.length == 0 || read_inside(reader, line)) {
        return;
    }
    const char *at = line.at;
    if (dj_scan_word(&at, line.at + line.length, DJ_MARKER) &&
        at == line.at + line.length) {
        dj_reader_marker(reader);
        return;
    }
    const struct opener *opener = find_opener(line);
    bool titled = is_title(reader, raw, line, opener != NULL);
    if (opener != NULL || titled || dj_line_find(line.at, line.length) != DJ_LINE_COUNT) {
        end_block(reader);
    }
    if (titled) {
        read_title(reader, raw, line);
    } else if (opener != NULL) {
        if (opener->read == read_process) {
            reader->quote = (struct dj_slice){raw.at, (size_t)(line.at - raw.at)};
        }
        opener->read(reader, after_word(line, opener->word));
    } else if (!dj_reader_stats_line(reader, line) &&
               !dj_reader_profile_header(reader, line)) {
        if (reader->state != DJ_READING_LINES && reader->marked) {
            dj_reader_warn(reader, "not a row of framestats: passed over");
        } else {
            dj_reader_close_framestats(reader);
            dj_reader_unmarked(reader, line);
        }
    }
}

static void read_text(struct dj_reader *reader)
{
    if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xEF\xBB\xBF", 3) == 0) {
        reader->at += 3;
    }
    while (reader->at < reader->end && !reader->failed) {
        if (reader->state == DJ_READING_FRAMESTATS) {
            dj_reader_plain_rows(reader);
            if (reader->at == reader->end) {
                break;
            }
        }
        const char *newline =
            memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
        const char *end = newline != NULL ? newline : reader->end;
        struct dj_slice raw = {reader->at, (size_t)(end - reader->at)};
        reader->line++;
        reader->line_at = reader->at;
        reader->cut = newline == NULL;
        reader->at = newline != NULL ? newline + 1 : reader->end;
        read_line(reader, raw);
    }
    if (reader->state == DJ_READING_FRAMESTATS || reader->state == DJ_READING_HEADER) {
        end_block(reader);
    }
    close_process(reader);
}

/* ---- the release ---- */

/* The columns of its first block of rows; NULL where it has none. */
static const struct dj_column_list *columns_of(const struct dj_dump_process *process)
{
    for (size_t i = 0; i < process->window_count; i++) {
        if (process->windows[i].columns.count > 0) {
            return &process->windows[i].columns;
        }
    }
    return NULL;
}

/* The lines of its statistics, or of its first window's; 0 where it has none. */
static uint32_t lines_of(const struct dj_dump_process *process)
{
    for (size_t i = 0; !process->stats.present && i < process->window_count; i++) {
        if (process->windows[i].stats.present) {
            return process->windows[i].stats.lines;
        }
    }
    return process->stats.present ? process->stats.lines : 0;
}

/* Whether "Window: TITLE" stands before a block. */
static bool has_window_stats(const struct dj_dump_process *process)
{
    for (size_t i = 0; i < process->window_count; i++) {
        if (process->windows[i].stats_title != NULL) {
            return true;
        }
    }
    return false;
}

/* How badly what was read fits the release: 0 where every line is there that it prints.
 * What it does not print weighs more than what is missing, which may have been cut. */
static unsigned misfit(const struct dj_dump_process *process,
                       const struct dj_dialect *dialect)
{
    uint32_t lines = lines_of(process);
    uint32_t printed = dj_lines_of(dialect);
    int strange = __builtin_popcount(lines & ~printed) +
                  (has_window_stats(process) && !dialect->window_stats);
    int missing = lines != 0 ? __builtin_popcount(printed & ~lines) : 0;
    return (unsigned)(missing + DJ_LINE_COUNT * strange);
}

/* By columns where there are some, and among the releases with these by the lines of
 * statistics; else by lines alone, which must then all be there. The oldest of several
 * that fit as well. */
static const struct dj_dialect *dialect_of(const struct dj_dump_process *process)
{
    const struct dj_column_list *columns = columns_of(process);
    const struct dj_dialect *best = NULL;
    for (size_t k = 0; dj_dialect_at(k) != NULL; k++) {
        const struct dj_dialect *dialect = dj_dialect_at(k);
        bool fits = columns == NULL
                        ? lines_of(process) != 0 && misfit(process, dialect) == 0
                        : columns->count == dialect->columns.count &&
                              memcmp(columns->column, dialect->columns.column,
                                     columns->count) == 0;
        if (fits && (best == NULL || misfit(process, dialect) < misfit(process, best))) {
            best = dialect;
        }
    }
    return best;
}

/* By the first process that tells. */
static const struct dj_dialect *infer_dialect(const struct dj_dump *dump)
{
    const struct dj_dialect *dialect = NULL;
    for (size_t i = 0; dialect == NULL && i < dump->process_count; i++) {
        dialect = dialect_of(&dump->processes[i]);
    }
    return dialect;
}

static const char *const refusals[] = {
    [DJ_REFUSAL_NONE] = "no gfxinfo text",
    [DJ_REFUSAL_DENIED] = "the device denied the permission to dump, and nothing else is",
    [DJ_REFUSAL_FAILED] = "the app did not answer, and nothing else is",
};

int dj_parse_dump(const char *text, size_t length, struct dj_dump *dump,
                  struct dj_parse_report *report, struct dj_error *err)
{
    struct dj_parse_report unwanted;
    text = length > 0 ? text
                      : ""; /* nothing may come as NULL, which has no end to point to */
    struct dj_reader reader = {
        .at = text,
        .text = text,
        .line_at = text,
        .end = text + length,
        .dump = dump,
        .report = report != NULL ? report : &unwanted,
    };
    *dump = (struct dj_dump){.uptime_ms = -1, .realtime_ms = -1};
    *reader.report = (struct dj_parse_report){0};
    if (length > 0) {
        read_text(&reader);
    }
    if (reader.failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory at line %zu",
                            reader.line);
    }
    if (!reader.seen) {
        return dj_error_set(
            err, DJ_E_NO_DATA,
            "%s in %zu lines: expected the output of `dumpsys gfxinfo PACKAGE "
            "framestats`, with lines such as \"" DJ_PROCESS
            " …\", \"Total frames rendered: …\" or \"" DJ_MARKER "\"",
            refusals[reader.report->refusal], reader.line);
    }
    if (dump->process_count > 0) {
        /* Of several dumps in one text, those that found something count. */
        free(dump->not_found);
        dump->not_found = NULL;
    }
    dump->dialect = infer_dialect(dump);
    dump->dialect_inferred = dump->dialect != NULL;
    return 0;
}
