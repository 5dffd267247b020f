#include "dumpsys/graphicsstats.h"

#include <time.h>

#include "dumpsys/days.h"
#include "dumpsys/output.h"
#include "dumpsys/release.h"
#include "dumpsys/state.h"
#include "gfxinfo/print.h"
#include "segment/directory.h"
#include "segment/select.h"

enum { TEXT_BYTES_MAX = 1 << 26 };

static const char state_file[] = "graphicsstats";

static int64_t get_wall_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct scan {
    struct dj_days *ended;
    int64_t now_ms;
    struct dj_days *running; /* Sums of the processes that still run. */
    size_t seen;             /* Number of segments so far in the directory that is being
                              * scanned. */
    bool changed;            /* True if something was added to `ended`. */
};

static void add_snapshot(struct scan *scan, const struct dj_snapshot *snapshot,
                         unsigned uid, struct dj_error *err)
{
    struct dj_days_entry entry;
    dj_days_compute_entry(snapshot, uid, &entry);
    if (entry.running) {
        dj_days_add(scan->running, snapshot, uid, err);
    } else if (dj_days_is_kept(entry.end_ms, scan->now_ms)) {
        scan->changed |= dj_days_add(scan->ended, snapshot, uid, err);
    }
}

static bool add_file(const struct dj_segment_file *file, void *user)
{
    struct scan *scan = user;
    const struct dj_snapshot_options options = {.rows = 1, .ignore_reset = true};
    struct dj_snapshot snapshot;
    struct dj_error err = {0};
    if (scan->seen++ == DJ_SELECT_FILES_PER_DIRECTORY) {
        dj_error_set(
            &err, DJ_E_LIMIT,
            "a directory contains more than %d segments, the others are not read",
            DJ_SELECT_FILES_PER_DIRECTORY);
        dj_output_report_error(&err);
        return false;
    }
    int code =
        dj_segment_snapshot_read(file->path, file->owner, &options, &snapshot, &err);
    if (code == 0 && dj_segment_snapshot_has_frame_times(&snapshot)) {
        add_snapshot(scan, &snapshot, file->owner, &err);
    }
    if (err.code != 0 && (code == 0 || dj_segment_is_reportable_error(code, file))) {
        dj_output_report_error(&err);
    }
    dj_segment_snapshot_finish(&snapshot);
    return true;
}

/* Visits each segment only once, so that its frames are counted either as running or as
 * ended, but not twice. Returns true if something was added to `ended`. */
static bool add_segments(struct dj_days *ended, struct dj_days *running, int64_t now)
{
    static struct dj_segment_directory places[DJ_SELECT_DIRECTORIES];
    struct scan scan = {.ended = ended, .running = running, .now_ms = now};
    size_t count = dj_segment_list_directories(places, DJ_SELECT_DIRECTORIES);
    for (size_t i = 0; i < count; i++) {
        struct dj_error err = {0};
        scan.seen = 0;
        if (dj_segment_scan(&places[i], add_file, &scan, &err) != 0) {
            dj_output_report_error(&err);
        }
    }
    return scan.changed;
}

static int load_days(const struct dj_state *state, struct dj_days *days,
                     struct dj_error *err)
{
    struct dj_text text = {0};
    int code = dj_state_read(state, state_file, &text, err);
    if (code == 0 && text.length > 0) {
        code = dj_days_read(dj_text_get(&text), text.length, days, err);
        if (code != 0) {
            dj_error_prepend(err, "%s/%s", state->path, state_file);
        }
    }
    dj_text_finish(&text);
    return code;
}

static int save_days(const struct dj_state *state, const struct dj_days *days,
                     struct dj_error *err)
{
    struct dj_text text = {.maximum = DJ_STATE_BYTES_MAX};
    dj_days_write(days, &text);
    int code = text.failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                           : dj_state_replace(state, state_file, &text, err);
    dj_text_finish(&text);
    return code;
}

/* Sets `days` to the sums of ended processes: the sums in the state file, and the sums of
 * segments that the state file does not include yet. Sets `running` to the sums of
 * running processes. The state file never includes these. A state file that cannot be
 * read is not overwritten. */
static void collect_days(struct dj_days *days, struct dj_days *running, int64_t now)
{
    struct dj_state state;
    struct dj_error err = {0};
    int code = dj_state_open(&state, &err);
    code = code != 0 ? code : load_days(&state, days, &err);
    bool changed = dj_days_drop_old(days, now);
    changed |= add_segments(days, running, now);
    if (code == 0 && changed) {
        code = save_days(&state, days, &err);
    }
    if (code != 0) {
        dj_error_prepend(&err, "cannot store the figures of ended programs");
        dj_output_report_error(&err);
    }
    dj_state_close(&state);
}

static void print_entry(struct dj_text *text, const struct dj_days_entry *entry,
                        const struct dj_dialect *wanted)
{
    const struct dj_dialect *dialect = wanted != NULL ? wanted : entry->dialect;
    struct dj_text package = {0};
    struct dj_text version = {0};
    dj_text_append_escaped_name(&package, entry->package);
    /* Android prints version 0 for a package without a version. */
    dj_text_append_escaped_name(&version,
                                entry->version[0] != '\0' ? entry->version : "0");
    const struct dj_graphicsstats printed = {
        .package = package.data,
        .version = -1,
        .uid = entry->uid,
        .start_ms = entry->start_ms,
        .end_ms = entry->end_ms,
        .stats = {.present = true, .stats = entry->stats, .lines = UINT32_MAX},
    };
    text->failed = text->failed || package.failed || version.failed;
    if (package.data != NULL) {
        dj_gfxinfo_print_graphicsstats(text, &printed, dj_text_get(&version), dialect);
    }
    if (dialect != entry->dialect) {
        dj_text_format(text, "Note: counted as Android %s does\n", entry->dialect->name);
    }
    dj_text_finish(&package);
    dj_text_finish(&version);
}

int dj_graphicsstats_dump(int count, char *const *words)
{
    const char *other_words[DJ_RELEASE_WORDS_MAX];
    const char *release = NULL;
    dj_release_extract(count, words, other_words, &release);
    const struct dj_dialect *wanted =
        release != NULL ? dj_frame_dialect_find(release) : NULL;
    if (release != NULL && wanted == NULL) {
        return dj_release_report_unknown(release);
    }
    if (wanted != NULL && !dj_gfxinfo_has_graphicsstats(wanted)) {
        return dj_output_report_no_service("graphicsstats");
    }
    struct dj_days days = {0};
    struct dj_days running = {0};
    struct dj_error err = {0};
    struct dj_text text = {.maximum = TEXT_BYTES_MAX};
    int64_t now = get_wall_ms();
    collect_days(&days, &running, now);
    if (dj_days_merge(&days, &running, &err) != 0) {
        dj_output_report_error(&err);
    }
    dj_days_sort(&days);
    for (size_t i = 0; i < days.count; i++) {
        print_entry(&text, &days.entries[i], wanted);
    }
    dj_days_finish(&days);
    dj_days_finish(&running);
    return dj_output_print_text(&text);
}
