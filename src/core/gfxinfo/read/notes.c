#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/scan.h"

static bool read_interval(struct dj_reader *reader, struct dj_str rest)
{
    int64_t interval_ns;
    dj_scan_blanks(&rest);
    if (!dj_scan_number(&rest, &interval_ns) || interval_ns <= 0 ||
        !dj_scan_word(&rest, "ns")) {
        return false;
    }
    dj_scan_blanks(&rest);
    reader->process->interval_ns = interval_ns;
    reader->process->interval_assumed = dj_scan_word(&rest, DJ_NOTE_ASSUMED);
    return true;
}

static bool read_not_recorded(struct dj_reader *reader, struct dj_str rest)
{
    while (rest.length > 0) {
        dj_scan_blanks(&rest);
        const char *comma = memchr(rest.at, ',', rest.length);
        size_t name = comma != NULL ? (size_t)(comma - rest.at) : rest.length;
        enum dj_column column;
        if (dj_frame_column_find(rest.at, name, &column)) {
            reader->process->not_recorded |= DJ_COLUMN_BIT(column);
        } else {
            dj_reader_warn(reader, "the note names a column that no known release has");
        }
        rest = dj_str_from(rest, name + (comma != NULL));
    }
    return true;
}

static bool read_rows_kept(struct dj_reader *reader, struct dj_str rest)
{
    dj_scan_blanks(&rest);
    return dj_scan_uint32(&rest, &reader->process->rows_kept);
}

static bool read_recovered(struct dj_reader *reader, struct dj_str rest)
{
    int64_t recovered;
    int64_t expected;
    dj_scan_blanks(&rest);
    if (!dj_scan_count(&rest, &recovered) || !dj_scan_word(&rest, " of ") ||
        !dj_scan_count(&rest, &expected)) {
        return false;
    }
    reader->process->recovered = recovered;
    reader->process->expected = expected;
    return true;
}

/* Reads the name of a release, which ends before the text `then`. Returns NULL if there
 * is no such release. */
static const struct dj_dialect *scan_release(struct dj_str *rest, const char *then)
{
    char name[16];
    const char *start = rest->at;
    if (!dj_str_after(*rest, then, rest)) {
        return NULL;
    }
    size_t length = (size_t)(rest->at - start) - strlen(then);
    if (length >= sizeof(name)) {
        return NULL;
    }
    memcpy(name, start, length);
    name[length] = '\0';
    return dj_frame_dialect_find(name);
}

/* Reads "recorded as Android 11, counted anew as 9 from the 4096 frames still kept of
 * 9001". */
static bool read_recounted(struct dj_reader *reader, struct dj_str rest)
{
    int64_t kept;
    int64_t counted;
    dj_scan_blanks(&rest);
    const struct dj_dialect *from = scan_release(&rest, DJ_NOTE_COUNTED_AS);
    const struct dj_dialect *to = from != NULL ? scan_release(&rest, " from the ") : NULL;
    if (to == NULL || !dj_scan_count(&rest, &kept) ||
        !dj_scan_word(&rest, DJ_NOTE_STILL_KEPT) || !dj_scan_count(&rest, &counted)) {
        return false;
    }
    reader->process->recount =
        (struct dj_dump_recount){from, to, (uint64_t)kept, (uint64_t)counted};
    return true;
}

static bool read_stopped(struct dj_reader *reader, struct dj_str rest)
{
    dj_reader_set_string(reader, &reader->process->disabled, rest);
    return true;
}

static bool read_cut_short(struct dj_reader *reader, struct dj_str rest)
{
    dj_reader_set_string(reader, &reader->process->cut_short, rest);
    return true;
}

static bool read_ended(struct dj_reader *reader, struct dj_str rest)
{
    reader->process->ended = reader->process->ended || rest.length == 0;
    return rest.length == 0;
}

static bool read_no_view_memory(struct dj_reader *reader, struct dj_str rest)
{
    if (rest.length == 0) {
        dj_reader_clear_view_memory(reader->process);
    }
    return rest.length == 0;
}

static const struct {
    const char *prefix;
    bool (*read)(struct dj_reader *reader, struct dj_str rest);
} notes[] = {
    {DJ_NOTE_INTERVAL, read_interval},
    {DJ_NOTE_NOT_RECORDED, read_not_recorded},
    {DJ_NOTE_KEPT, read_rows_kept},
    {DJ_NOTE_RECOVERED, read_recovered},
    {DJ_NOTE_STOPPED, read_stopped},
    {DJ_NOTE_CUT_SHORT, read_cut_short},
    {DJ_NOTE_ENDED, read_ended},
    {DJ_NOTE_RECORDED_AS, read_recounted},
    {DJ_NOTE_NO_VIEW_MEMORY, read_no_view_memory},
};

/* Reads "12 frames were not recorded", the only note that begins with a number. */
static void read_dropped(struct dj_reader *reader, struct dj_str rest)
{
    int64_t dropped;
    if (dj_scan_count(&rest, &dropped) && dropped > 0 &&
        dj_scan_word(&rest, " " DJ_NOTE_DROPPED)) {
        reader->process->dropped = (uint64_t)dropped;
    }
}

void dj_reader_read_note(struct dj_reader *reader, struct dj_str rest)
{
    if (reader->process == NULL) {
        return;
    }
    dj_scan_blanks(&rest);
    for (size_t i = 0; i < COUNT_OF(notes); i++) {
        struct dj_str after = rest;
        if (dj_scan_word(&after, notes[i].prefix)) {
            if (!notes[i].read(reader, after)) {
                dj_reader_warn(reader, "cannot parse the text after \"" DJ_NOTE " %s\"",
                               notes[i].prefix);
            }
            return;
        }
    }
    read_dropped(reader, rest);
}

/* Marks the values as unknown that the printer filled in. These are the values in the
 * columns `named` that are equal to dj_frame_fallback(). The columns are processed in
 * their order, because a fallback may depend on an earlier column that is also
 * unknown. */
static void clear_repeated(struct dj_frame *frame, uint64_t named, int64_t interval_ns)
{
    for (uint64_t rest = named & frame->known; rest != 0; rest &= rest - 1) {
        enum dj_column column = (enum dj_column)__builtin_ctzll(rest);
        if (frame->value[column] == dj_frame_fallback(frame, column, interval_ns)) {
            frame->known &= ~DJ_COLUMN_BIT(column);
            frame->value[column] = 0;
        }
    }
}

void dj_reader_apply_notes(struct dj_dump_process *process)
{
    if (process->not_recorded == 0) {
        return;
    }
    for (size_t i = 0; i < process->window_count; i++) {
        struct dj_dump_window *window = &process->windows[i];
        for (size_t k = 0; k < window->frame_count; k++) {
            clear_repeated(&window->frames[k], process->not_recorded,
                           process->interval_ns);
        }
    }
}
