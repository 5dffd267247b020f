#include <string.h>

#include "gfxinfo/grammar.h"
#include "gfxinfo/reader.h"
#include "gfxinfo/scan.h"

static bool note_interval(struct dj_reader *reader, const char *at, const char *end)
{
    int64_t interval_ns;
    dj_scan_blanks(&at, end);
    if (!dj_scan_int64(&at, end, &interval_ns) || interval_ns <= 0 ||
        !dj_scan_word(&at, end, "ns")) {
        return false;
    }
    dj_scan_blanks(&at, end);
    reader->process->interval_ns = interval_ns;
    reader->process->interval_assumed = dj_scan_word(&at, end, DJ_NOTE_ASSUMED);
    return true;
}

static bool note_not_recorded(struct dj_reader *reader, const char *at, const char *end)
{
    while (at < end) {
        dj_scan_blanks(&at, end);
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *name_end = comma != NULL ? comma : end;
        enum dj_column column;
        if (dj_column_find(at, (size_t)(name_end - at), &column)) {
            reader->process->not_recorded |= DJ_COLUMN_BIT(column);
        } else {
            dj_reader_warn(reader,
                           "a column that no release has is named as not recorded");
        }
        at = comma != NULL ? comma + 1 : end;
    }
    return true;
}

static bool note_kept(struct dj_reader *reader, const char *at, const char *end)
{
    dj_scan_blanks(&at, end);
    return dj_scan_uint32(&at, end, &reader->process->rows_kept);
}

static bool note_recovered(struct dj_reader *reader, const char *at, const char *end)
{
    int64_t recovered;
    int64_t expected;
    dj_scan_blanks(&at, end);
    if (!dj_scan_int64(&at, end, &recovered) || !dj_scan_word(&at, end, " of ") ||
        !dj_scan_int64(&at, end, &expected) || recovered < 0 || expected < 0) {
        return false;
    }
    reader->process->recovered = recovered;
    reader->process->expected = expected;
    return true;
}

/* A release's name up to where `then` begins; NULL: no such release. */
static const struct dj_dialect *scan_release(const char **at, const char *end,
                                             const char *then)
{
    char name[16];
    const char *found = memmem(*at, (size_t)(end - *at), then, strlen(then));
    size_t length = found != NULL ? (size_t)(found - *at) : sizeof(name);
    if (length >= sizeof(name)) {
        return NULL;
    }
    memcpy(name, *at, length);
    name[length] = '\0';
    *at = found + strlen(then);
    return dj_dialect_find(name);
}

/* "recorded as Android 11, counted anew as 9 from the 4096 frames still kept of 9001" */
static bool note_recounted(struct dj_reader *reader, const char *at, const char *end)
{
    int64_t kept;
    int64_t counted;
    dj_scan_blanks(&at, end);
    const struct dj_dialect *from = scan_release(&at, end, DJ_NOTE_COUNTED_AS);
    const struct dj_dialect *to =
        from != NULL ? scan_release(&at, end, " from the ") : NULL;
    if (to == NULL || !dj_scan_int64(&at, end, &kept) ||
        !dj_scan_word(&at, end, DJ_NOTE_STILL_KEPT) ||
        !dj_scan_int64(&at, end, &counted) || kept < 0 || counted < 0) {
        return false;
    }
    reader->process->recount =
        (struct dj_dump_recount){from, to, (uint64_t)kept, (uint64_t)counted};
    return true;
}

static bool note_stopped(struct dj_reader *reader, const char *at, const char *end)
{
    dj_scan_blanks(&at, end);
    dj_reader_keep(reader, &reader->process->disabled,
                   (struct dj_str){at, (size_t)(end - at)});
    return true;
}

static bool note_cut_short(struct dj_reader *reader, const char *at, const char *end)
{
    dj_scan_blanks(&at, end);
    dj_reader_keep(reader, &reader->process->cut_short,
                   (struct dj_str){at, (size_t)(end - at)});
    return true;
}

static bool note_ended(struct dj_reader *reader, const char *at, const char *end)
{
    reader->process->ended = reader->process->ended || at == end;
    return at == end;
}

static bool note_no_view_memory(struct dj_reader *reader, const char *at, const char *end)
{
    if (at == end) {
        dj_reader_forget_view_memory(reader->process);
    }
    return at == end;
}

static const struct {
    const char *prefix;
    bool (*read)(struct dj_reader *reader, const char *at, const char *end);
} notes[] = {
    {DJ_NOTE_INTERVAL, note_interval},
    {DJ_NOTE_NOT_RECORDED, note_not_recorded},
    {DJ_NOTE_KEPT, note_kept},
    {DJ_NOTE_RECOVERED, note_recovered},
    {DJ_NOTE_STOPPED, note_stopped},
    {DJ_NOTE_CUT_SHORT, note_cut_short},
    {DJ_NOTE_ENDED, note_ended},
    {DJ_NOTE_RECORDED_AS, note_recounted},
    {DJ_NOTE_NO_VIEW_MEMORY, note_no_view_memory},
};

/* "12 frames were not recorded": the one note that begins with its number. */
static void note_dropped(struct dj_reader *reader, const char *at, const char *end)
{
    int64_t dropped;
    if (dj_scan_int64(&at, end, &dropped) && dropped > 0 &&
        dj_scan_word(&at, end, " " DJ_NOTE_DROPPED)) {
        reader->process->dropped = (uint64_t)dropped;
    }
}

void dj_reader_note(struct dj_reader *reader, struct dj_str rest)
{
    const char *at = rest.at;
    const char *end = rest.at + rest.length;
    if (reader->process == NULL) {
        return;
    }
    dj_scan_blanks(&at, end);
    for (size_t i = 0; i < COUNT_OF(notes); i++) {
        const char *after = at;
        if (dj_scan_word(&after, end, notes[i].prefix)) {
            if (!notes[i].read(reader, after, end)) {
                dj_reader_warn(reader, "cannot read what follows \"" DJ_NOTE " %s\"",
                               notes[i].prefix);
            }
            return;
        }
    }
    note_dropped(reader, at, end);
}

/* In the columns' own order: what a column repeats may itself be unknown, and is settled
 * first. */
static void forget_repeated(struct dj_frame *frame, uint64_t named, int64_t interval_ns)
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
            forget_repeated(&window->frames[k], process->not_recorded,
                            process->interval_ns);
        }
    }
}
