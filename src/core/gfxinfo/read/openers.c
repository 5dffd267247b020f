#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/read/openers.h"
#include "gfxinfo/scan.h"

static void read_service(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    dj_reader_close_process(reader);
    dj_surface_close(reader); /* If there is no callback, no dump is emitted. */
    dj_reader_emit_dump(reader);
    reader->seen = true;
}

static void read_uptime(struct dj_reader *reader, struct dj_str rest)
{
    int64_t uptime_ms;
    int64_t realtime_ms;
    dj_scan_blanks(&rest);
    if (!dj_scan_count(&rest, &uptime_ms)) {
        return;
    }
    dj_scan_blanks(&rest);
    if (dj_scan_word(&rest, DJ_REALTIME)) {
        dj_scan_blanks(&rest);
        if (reader->dump->uptime_ms < 0 && dj_scan_count(&rest, &realtime_ms)) {
            reader->dump->uptime_ms = uptime_ms;
            reader->dump->realtime_ms = realtime_ms;
        }
    }
}

/* Reads "** Graphics info for pid 1234 [com.x] **". The name may contain brackets. */
static void read_process(struct dj_reader *reader, struct dj_str rest)
{
    struct dj_dump_process *process = dj_reader_next_process(reader);
    if (process == NULL) {
        return;
    }
    dj_scan_blanks(&rest);
    if (!dj_scan_number(&rest, &process->pid)) {
        dj_reader_warn(reader, "expected a process id after \"" DJ_PROCESS "\"");
    }
    const char *end = rest.at + rest.length;
    const char *open = memchr(rest.at, '[', rest.length);
    const char *close = memrchr(rest.at, ']', rest.length);
    if (open != NULL && close != NULL && open < close) {
        dj_reader_set_string(reader, &process->name, dj_str_between(open + 1, close));
    } else if (end[-1] != '*') {
        dj_reader_open_name(reader, dj_str_between(open != NULL ? open + 1 : end, end));
    }
}

static void read_not_found(struct dj_reader *reader, struct dj_str rest)
{
    struct dj_place place = dj_reader_get_place(reader);
    reader->seen = true;
    reader->report->not_found_line = place.line;
    reader->report->not_found_byte = place.byte;
    dj_reader_set_string(reader, &reader->dump->not_found, rest);
}

/* Reads "Pipeline=…", which is also stored as text of the process. */
static void read_pipeline(struct dj_reader *reader, struct dj_str rest)
{
    if (reader->process != NULL && reader->process->pipeline == NULL) {
        dj_reader_set_string(reader, &reader->process->pipeline, rest);
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

void dj_reader_openers_open_window(struct dj_reader *reader, struct dj_str rest)
{
    if (!reader->seen) {
        dj_text_clear(&reader->title);
        dj_reader_append(reader, &reader->title, rest);
        return;
    }
    struct dj_dump_window *window = dj_reader_window(reader);
    if (window != NULL &&
        (window->stats_title != NULL || window->stats.present || window->has_frames)) {
        window = dj_reader_next_window(reader);
    }
    if (window != NULL) {
        dj_reader_set_string(reader, &window->stats_title, rest);
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

static void record_refusal(struct dj_reader *reader, enum dj_refusal refusal)
{
    struct dj_place place = dj_reader_get_place(reader);
    reader->expected_text = NULL;
    reader->report->refusal = refusal;
    reader->report->refusal_line = place.line;
    reader->report->refusal_byte = place.byte;
}

static void read_denial(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    dj_reader_warn(reader, "the device refused the dump: permission denied");
    record_refusal(reader, DJ_REFUSAL_DENIED);
}

static void read_failure(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    dj_reader_warn(reader, "the app did not answer, so its dump failed");
    record_refusal(reader, DJ_REFUSAL_FAILED);
}

/* Does nothing: the totals of the view hierarchy are only stored as text, by the
 * caller. */
static void read_total(struct dj_reader *reader, struct dj_str rest)
{
    (void)reader;
    (void)rest;
}

/* Reads a line that SurfaceFlinger prints without options. */
static void read_whole(struct dj_reader *reader, struct dj_str rest)
{
    (void)rest;
    reader->report->is_whole_surface_flinger = true;
}

static const struct dj_opener openers[] = {
    {DJ_SERVICE, DJ_OPENER_QUOTED, read_service},
    {DJ_UPTIME, DJ_OPENER_PLAIN, read_uptime},
    {DJ_PROCESS, DJ_OPENER_QUOTED, read_process},
    {DJ_NOT_FOUND, DJ_OPENER_PLAIN, read_not_found},
    {DJ_PIPELINE, DJ_OPENER_KEPT, read_pipeline},
    {DJ_PROFILE, DJ_OPENER_PLAIN, read_profile},
    {DJ_WINDOW, DJ_OPENER_PLAIN, dj_reader_openers_open_window},
    {DJ_NOTE, DJ_OPENER_PLAIN, dj_reader_read_note},
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

/* Lines of SurfaceFlinger. */
static const struct dj_opener surface_openers[] = {
    {"SurfaceFlinger TimeStats:", DJ_OPENER_SURFACE, dj_surface_open_timestats},
    {"layerName =", DJ_OPENER_SURFACE, dj_surface_open_layer},
    {"displayRefreshRate =", DJ_OPENER_SURFACE, dj_surface_open_rate},
    {"RequestedLayerState{", DJ_OPENER_SURFACE, dj_surface_open_list},
    {"Display Frame ", DJ_OPENER_SURFACE, dj_surface_open_frame_timeline},
    {"SurfaceFlinger appears to be unresponsive", DJ_OPENER_SURFACE,
     dj_surface_open_message},
    {"Dumping without lock after timeout", DJ_OPENER_SURFACE, dj_surface_open_message},
    {"Static screen stats:", DJ_OPENER_KEPT, read_whole},
    {"Visible layers (count", DJ_OPENER_KEPT, read_whole},
};

static const struct dj_opener *find_in(const struct dj_opener *table, size_t count,
                                       struct dj_str line)
{
    for (size_t i = 0; i < count; i++) {
        if (table[i].word[0] == line.at[0] && dj_str_begins(line, table[i].word)) {
            return &table[i];
        }
    }
    return NULL;
}

const struct dj_opener *dj_reader_openers_find(struct dj_str line)
{
    /* The first characters of all words in each table. These checks are fast and exclude
     * most lines. */
    const struct dj_opener *found = NULL;
    if (memchr("AU*NPWVTFG", line.at[0], 10) != NULL) {
        found = find_in(openers, COUNT_OF(openers), line);
    }
    if (found == NULL && memchr("SldRDV", line.at[0], 6) != NULL) {
        found = find_in(surface_openers, COUNT_OF(surface_openers), line);
    }
    return found;
}

void dj_reader_openers_read(struct dj_reader *reader, const struct dj_opener *opener,
                            struct dj_str line, struct dj_str unquoted)
{
    if (opener->kind == DJ_OPENER_KEPT) {
        dj_reader_add_section_line(reader, unquoted);
    } else {
        dj_reader_close_section(reader);
    }
    opener->read(reader, dj_str_from(line, strlen(opener->word)));
    dj_reader_record_milestone(reader, line);
}
