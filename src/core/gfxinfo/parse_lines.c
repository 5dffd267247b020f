#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/scan.h"

static struct dj_slice after_word(struct dj_slice line, const char *word)
{
    size_t length = strlen(word);
    return (struct dj_slice){line.at + length, line.length - length};
}

/* ---- lines that open something ---- */

static void read_service(struct dj_reader *reader, struct dj_slice rest)
{
    (void)rest;
    dj_reader_close_process(reader);
    dj_reader_hand_out(reader);
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
    } else if (end[-1] != '*') {
        dj_reader_open_name(
            reader, open != NULL ? (struct dj_slice){open + 1, (size_t)(end - open - 1)}
                                 : (struct dj_slice){end, 0});
    }
}

static void read_not_found(struct dj_reader *reader, struct dj_slice rest)
{
    const char *at = rest.at;
    dj_scan_blanks(&at, rest.at + rest.length);
    reader->seen = true;
    reader->report->not_found_line = reader->line;
    reader->report->not_found_byte = dj_reader_byte(reader);
    dj_reader_keep(reader, &reader->dump->not_found,
                   (struct dj_slice){at, (size_t)(rest.at + rest.length - at)});
}

/* Its line is part of a section, too. */
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
    reader->in_windows = true;
    reader->in_hierarchy = false;
}

static void read_window(struct dj_reader *reader, struct dj_slice rest)
{
    if (!reader->seen) {
        dj_text_clear(&reader->title);
        dj_text_append(&reader->title, rest.at, rest.length);
        reader->failed = reader->failed || reader->title.failed;
        return;
    }
    struct dj_dump_window *window = dj_reader_window(reader);
    if (window != NULL &&
        (window->stats_title != NULL || window->stats.present || window->has_frames)) {
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
    reader->in_windows = false;
    reader->in_hierarchy = reader->process != NULL;
    reader->roots = 0;
}

static void refuse(struct dj_reader *reader, enum dj_refusal refusal)
{
    reader->due = NULL;
    reader->report->refusal = refusal;
    reader->report->refusal_line = reader->line;
    reader->report->refusal_byte = dj_reader_byte(reader);
}

static void read_denial(struct dj_reader *reader, struct dj_slice rest)
{
    (void)rest;
    dj_reader_warn(reader, "the device denied the permission to dump");
    refuse(reader, DJ_REFUSAL_DENIED);
}

static void read_failure(struct dj_reader *reader, struct dj_slice rest)
{
    (void)rest;
    dj_reader_warn(reader, "the app did not answer: its dump failed");
    refuse(reader, DJ_REFUSAL_FAILED);
}

/* One of those that end a section. */
static void read_total(struct dj_reader *reader, struct dj_slice rest)
{
    (void)reader;
    (void)rest;
}

enum opener_kind {
    OPENER_PLAIN,
    OPENER_QUOTED, /* what stands before it stands before the lines that follow, too */
    OPENER_KEPT    /* it stands among the other text of its process, too */
};

static const struct opener {
    const char *word;
    enum opener_kind kind;
    void (*read)(struct dj_reader *reader, struct dj_slice rest);
} openers[] = {
    {DJ_SERVICE, OPENER_QUOTED, read_service},
    {DJ_UPTIME, OPENER_PLAIN, read_uptime},
    {DJ_PROCESS, OPENER_QUOTED, read_process},
    {DJ_NOT_FOUND, OPENER_PLAIN, read_not_found},
    {DJ_PIPELINE, OPENER_KEPT, read_pipeline},
    {DJ_PROFILE, OPENER_PLAIN, read_profile},
    {DJ_WINDOW, OPENER_PLAIN, read_window},
    {DJ_NOTE, OPENER_PLAIN, dj_reader_note},
    {DJ_HIERARCHY, OPENER_KEPT, read_hierarchy},
    {"Total ViewRootImpl", OPENER_KEPT, read_total},
    {"Total Views:", OPENER_KEPT, read_total},
    {"Total attached Views", OPENER_KEPT, read_total},
    {"Total DisplayList:", OPENER_KEPT, read_total},
    {"Total RenderNode", OPENER_KEPT, read_total},
    {"Failure while dumping the app", OPENER_PLAIN, read_failure},
    {"Got a RemoteException while dumping", OPENER_PLAIN, read_failure},
    {"Permission Denial: can't dump gfxinfo", OPENER_PLAIN, read_denial},
    {"Permission Denial: can't dump graphicsstats", OPENER_PLAIN, read_denial},
};

static const struct opener *find_opener(struct dj_slice line)
{
    /* What the words begin with: most lines begin otherwise. */
    if (memchr("AU*NPWVTFG", line.at[0], 10) == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(openers) / sizeof(openers[0]); i++) {
        const char *at = line.at;
        if (openers[i].word[0] == line.at[0] &&
            dj_scan_word(&at, line.at + line.length, openers[i].word)) {
            return &openers[i];
        }
    }
    return NULL;
}

static void read_opener(struct dj_reader *reader, const struct opener *opener,
                        struct dj_slice line, struct dj_slice unquoted)
{
    if (opener->kind == OPENER_KEPT) {
        dj_reader_other_line(reader, unquoted);
    } else {
        dj_reader_close_section(reader);
    }
    opener->read(reader, after_word(line, opener->word));
    dj_reader_pass_milestone(reader, line);
}

/* ---- lines ---- */

void dj_reader_end_block(struct dj_reader *reader)
{
    if (reader->state == DJ_READING_FRAMESTATS || reader->state == DJ_READING_HEADER) {
        dj_reader_flush_rows(reader);
        if (reader->marked) {
            dj_reader_warn(reader, "framestats block without a closing " DJ_MARKER);
        }
        dj_reader_close_block(reader);
    }
}

/* Inside a block: true where the line was one of its own. */
static bool read_inside(struct dj_reader *reader, struct dj_slice line)
{
    switch (reader->state) {
    case DJ_READING_LINES:
        return dj_reader_histogram_more(reader, line);
    case DJ_READING_HEADER:
        return dj_reader_header(reader, line);
    case DJ_READING_FRAMESTATS:
        return dj_reader_row(reader, line);
    case DJ_READING_PROFILE:
        /* A title may begin with numbers, and look as if it had a remark. */
        if (!dj_reader_is_title(reader, line, false) &&
            dj_reader_profile_row(reader, line)) {
            return true;
        }
        reader->state = DJ_READING_LINES;
        return false;
    }
    return false;
}

static bool is_marker(struct dj_slice line)
{
    const char *at = line.at;
    return dj_scan_word(&at, line.at + line.length, DJ_MARKER) &&
           at == line.at + line.length;
}

/* What is neither known nor a row: inside a block it is in the way, elsewhere it is text
 * to keep. */
static void read_unknown(struct dj_reader *reader, struct dj_slice line,
                         struct dj_slice unquoted)
{
    if (reader->state != DJ_READING_LINES && reader->marked) {
        dj_reader_warn(reader, "not a row of framestats: passed over");
        return;
    }
    dj_reader_close_block(reader);
    if (!dj_reader_unmarked(reader, line) && !dj_reader_davey(reader, line) &&
        !dj_reader_wrapped_title(reader, line)) {
        dj_reader_other_line(reader, unquoted);
        reader->unknown = true;
    }
}

/* "Window: x" stands in many texts: before anything else of gfxinfo the line behind it
 * tells whether it is meant. */
static void settle_window(struct dj_reader *reader, bool counted)
{
    if (reader->title.length == 0) {
        return;
    }
    if (counted) {
        reader->seen = true;
        read_window(reader, (struct dj_slice){reader->title.data, reader->title.length});
    }
    dj_text_clear(&reader->title);
}

/* True where the line is one of those that stand outside blocks. */
static bool read_known(struct dj_reader *reader, struct dj_slice raw,
                       struct dj_slice line, struct dj_slice unquoted)
{
    const struct opener *opener = find_opener(line);
    bool titled = dj_reader_is_title(reader, unquoted, opener != NULL);
    bool counted = dj_line_find(line.at, line.length) != DJ_LINE_COUNT;
    if (opener != NULL || titled || counted) {
        dj_reader_end_block(reader);
    }
    settle_window(reader, counted);
    if (!titled && dj_reader_graphicsstats_line(reader, line)) {
        return true;
    }
    reader->counting = reader->counting && !titled && opener == NULL;
    if (titled) {
        dj_reader_title(reader, unquoted);
    } else if (opener != NULL) {
        if (opener->kind == OPENER_QUOTED) {
            dj_reader_set_quote(reader, raw, line.at);
        }
        read_opener(reader, opener, line, unquoted);
    } else if (counted) {
        dj_reader_close_section(reader);
        dj_reader_stats_line(reader, line);
    } else if (dj_reader_profile_header(reader, line)) {
        dj_reader_close_section(reader);
    } else {
        return false;
    }
    return true;
}

/* Where a bug report goes on after a part of no use. */
static bool comes_back(struct dj_slice line)
{
    const char *at = line.at;
    const char *end = line.at + line.length;
    return dj_scan_word(&at, end, DJ_SERVICE) || dj_scan_word(&at, end, DJ_PROCESS);
}

static void read_line(struct dj_reader *reader, struct dj_slice raw)
{
    /* What ends a table's cell is told by what begins it: a mark of the quote. */
    struct dj_slice stripped = dj_reader_strip(raw);
    raw.length = (size_t)(stripped.at + stripped.length - raw.at);
    struct dj_slice unquoted = dj_reader_without_quote(reader, raw);
    struct dj_slice line = dj_reader_strip(unquoted);
    if (line.length == 0) {
        dj_reader_close_name(reader);
        dj_reader_close_section(reader);
        dj_reader_close_davey(reader);
        return;
    }
    if (dj_reader_name_more(reader, line)) {
        return;
    }
    if (dj_reader_hierarchy_line(reader, line, unquoted) ||
        dj_reader_davey_more(reader, line)) {
        return;
    }
    if (reader->elsewhere && comes_back(line)) {
        reader->elsewhere = false;
    }
    unquoted.length = (size_t)(line.at + line.length - unquoted.at);
    /* A window may be called as a part is. */
    if (!dj_reader_is_title(reader, unquoted, true) &&
        dj_reader_report_part(reader, line)) {
        return;
    }
    if (reader->elsewhere) {
        dj_reader_davey(reader, line);
        return;
    }
    if (read_inside(reader, line)) {
        return;
    }
    dj_reader_histogram_close(reader);
    if (is_marker(line)) {
        reader->counting = false;
        dj_reader_close_section(reader);
        dj_reader_marker(reader);
        return;
    }
    if (read_known(reader, raw, line, unquoted)) {
        return;
    }
    const char *first = dj_reader_find_first(reader, raw);
    if (first != NULL) {
        dj_reader_set_quote(reader, raw, first);
        struct dj_slice rest = dj_reader_strip(
            (struct dj_slice){first, (size_t)(raw.at + raw.length - first)});
        read_known(reader, raw, rest, rest);
    } else {
        read_unknown(reader, line, unquoted);
    }
}

/* ---- where a text breaks off ---- */

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

const char *dj_reader_find_failure(struct dj_slice raw)
{
    static const char *const words[] = {"Failure while dumping the app:",
                                        "Got a RemoteException while dumping the app "};
    if (memchr(raw.at, 'F', raw.length) == NULL &&
        memchr(raw.at, 'R', raw.length) == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const char *found = memmem(raw.at, raw.length, words[i], strlen(words[i]));
        if (found != NULL && found > raw.at) {
            return found;
        }
    }
    return NULL;
}

/* Lines end in one of these where they are whole; of others nobody can say. */
static bool ends_whole(const struct dj_reader *reader, struct dj_slice line)
{
    static const char *const ends[] = {")", "ms", "ns", DJ_MARKER, "**", "kB", ":"};
    const char *at = line.at;
    bool note = dj_scan_word(&at, line.at + line.length, DJ_NOTE);
    if (reader->unknown || reader->bug_report || dj_line_begun(line.at, line.length)) {
        return false;
    }
    if (dj_reader_is_row(line) && line.at[line.length - 1] == ',') {
        return true;
    }
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        size_t length = strlen(ends[i]);
        if (line.length >= length &&
            memcmp(line.at + line.length - length, ends[i], length) == 0) {
            return i == 0 || !note;
        }
    }
    return dj_ends_in_hundredths(line.at, line.length);
}

/* What is held is told of when it is settled. */
static void read_last_line(struct dj_reader *reader, struct dj_slice raw)
{
    size_t warnings = reader->report->warning_count;
    struct dj_slice line = dj_reader_strip(raw);
    reader->unknown = false;
    read_line(reader, raw);
    bool held = reader->histogram_block != NULL || reader->piece_count > 0;
    bool ours = reader->seen || reader->davey.length > 0;
    if (ours && line.length > 0 && !held && !ends_whole(reader, line) &&
        reader->report->warning_count == warnings) {
        dj_reader_warn(reader, "the text ends in this line, which may have been cut");
    }
    reader->end_told = reader->report->warning_count > warnings;
}

/* A file begins with it: also where files were put together, and one had no newline at
 * its end. NULL: there is none. */
static const char *find_byte_order_mark(struct dj_slice raw)
{
    return memchr(raw.at, BYTE_ORDER_MARK[0], raw.length) != NULL
               ? memmem(raw.at, raw.length, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK))
               : NULL;
}

static void read_broken_line(struct dj_reader *reader, struct dj_slice raw)
{
    const char *failure = dj_reader_find_failure(raw);
    bool cut = reader->cut;
    if (failure != NULL) {
        reader->cut = true;
        read_line(reader, (struct dj_slice){raw.at, (size_t)(failure - raw.at)});
        raw = (struct dj_slice){failure, (size_t)(raw.at + raw.length - failure)};
        reader->cut = cut;
    }
    if (cut) {
        read_last_line(reader, raw);
    } else {
        read_line(reader, raw);
    }
}

void dj_reader_line(struct dj_reader *reader, struct dj_slice raw)
{
    const char *end = raw.at + raw.length;
    const char *mark = find_byte_order_mark(raw);
    bool cut = reader->cut;
    while (mark != NULL) {
        reader->cut = true;
        if (mark > raw.at) {
            read_line(reader, (struct dj_slice){raw.at, (size_t)(mark - raw.at)});
        }
        const char *next = mark + strlen(BYTE_ORDER_MARK);
        raw = (struct dj_slice){next, (size_t)(end - next)};
        mark = find_byte_order_mark(raw);
        reader->cut = cut;
    }
    read_broken_line(reader, raw);
}
