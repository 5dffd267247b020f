#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/scan.h"

static struct dj_str after_word(struct dj_str line, const char *word)
{
    size_t length = strlen(word);
    return (struct dj_str){line.at + length, line.length - length};
}

static void read_service(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    dj_reader_close_process(reader);
    dj_reader_hand_out(reader);
    reader->seen = true;
}

static void read_uptime(struct dj_reader *reader, struct dj_str rest)
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
static void read_process(struct dj_reader *reader, struct dj_str rest)
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
                       (struct dj_str){open + 1, (size_t)(close - open - 1)});
    } else if (end[-1] != '*') {
        dj_reader_open_name(
            reader, open != NULL ? (struct dj_str){open + 1, (size_t)(end - open - 1)}
                                 : (struct dj_str){end, 0});
    }
}

static void read_not_found(struct dj_reader *reader, struct dj_str rest)
{
    const char *at = rest.at;
    dj_scan_blanks(&at, rest.at + rest.length);
    reader->seen = true;
    reader->report->not_found_line = reader->line;
    reader->report->not_found_byte = dj_reader_byte(reader);
    dj_reader_keep(reader, &reader->dump->not_found,
                   (struct dj_str){at, (size_t)(rest.at + rest.length - at)});
}

/* Its line is part of a section, too. */
static void read_pipeline(struct dj_reader *reader, struct dj_str rest)
{
    if (reader->process != NULL && reader->process->pipeline == NULL) {
        dj_reader_keep(reader, &reader->process->pipeline, rest);
    }
}

static void read_profile(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    dj_reader_process(reader);
    reader->window = NULL;
    reader->in_windows = true;
    reader->in_hierarchy = false;
}

void dj_opener_window(struct dj_reader *reader, struct dj_str rest)
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

static void read_hierarchy(struct dj_reader *reader, struct dj_str rest)
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

static void read_denial(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    dj_reader_warn(reader, "the device denied the permission to dump");
    refuse(reader, DJ_REFUSAL_DENIED);
}

static void read_failure(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    dj_reader_warn(reader, "the app did not answer: its dump failed");
    refuse(reader, DJ_REFUSAL_FAILED);
}

/* One of those that end a section. */
static void read_total(struct dj_reader *reader, struct dj_str rest)
{
    (void)reader;
    (void)rest;
}

static const struct dj_opener openers[] = {
    {DJ_SERVICE, DJ_OPENER_QUOTED, read_service},
    {DJ_UPTIME, DJ_OPENER_PLAIN, read_uptime},
    {DJ_PROCESS, DJ_OPENER_QUOTED, read_process},
    {DJ_NOT_FOUND, DJ_OPENER_PLAIN, read_not_found},
    {DJ_PIPELINE, DJ_OPENER_KEPT, read_pipeline},
    {DJ_PROFILE, DJ_OPENER_PLAIN, read_profile},
    {DJ_WINDOW, DJ_OPENER_PLAIN, dj_opener_window},
    {DJ_NOTE, DJ_OPENER_PLAIN, dj_reader_note},
    {DJ_HIERARCHY, DJ_OPENER_KEPT, read_hierarchy},
    {"Total ViewRootImpl", DJ_OPENER_KEPT, read_total},
    {"Total Views:", DJ_OPENER_KEPT, read_total},
    {"Total attached Views", DJ_OPENER_KEPT, read_total},
    {"Total DisplayList:", DJ_OPENER_KEPT, read_total},
    {"Total RenderNode", DJ_OPENER_KEPT, read_total},
    {"Failure while dumping the app", DJ_OPENER_PLAIN, read_failure},
    {"Got a RemoteException while dumping", DJ_OPENER_PLAIN, read_failure},
    {"Permission Denial: can't dump gfxinfo", DJ_OPENER_PLAIN, read_denial},
    {"Permission Denial: can't dump graphicsstats", DJ_OPENER_PLAIN, read_denial},
};

const struct dj_opener *dj_opener_find(struct dj_str line)
{
    /* What the words begin with: most lines begin otherwise. */
    if (memchr("AU*NPWVTFG", line.at[0], 10) == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < COUNT_OF(openers); i++) {
        const char *at = line.at;
        if (openers[i].word[0] == line.at[0] &&
            dj_scan_word(&at, line.at + line.length, openers[i].word)) {
            return &openers[i];
        }
    }
    return NULL;
}

void dj_opener_read(struct dj_reader *reader, const struct dj_opener *opener,
                    struct dj_str line, struct dj_str unquoted)
{
    if (opener->kind == DJ_OPENER_KEPT) {
        dj_reader_other_line(reader, unquoted);
    } else {
        dj_reader_close_section(reader);
    }
    opener->read(reader, after_word(line, opener->word));
    dj_reader_pass_milestone(reader, line);
}
