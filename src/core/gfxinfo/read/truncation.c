
#include "gfxinfo/grammar.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/release.h"

/* Lines that every complete process section contains. After each of these lines, a line
 * that begins with `next` must follow. If the text ends before that line, the text is
 * truncated. On Android, a process section ends with the totals of the view hierarchy,
 * which have one form until Android 10 and another since 11. A process section that
 * dejank printed ends with notes instead. */
static const struct milestone {
    const char *word;
    bool within; /* Whether the line is ignored outside a process section. */
    /* Text at the end of the complete line, or NULL if the line may end anywhere. The
     * line may itself be truncated. */
    const char *end;
    /* Text that must follow, or NULL if the process section is complete. */
    const char *next;
} milestones[] = {
    {DJ_PROCESS, false, NULL, DJ_PROFILE},
    {DJ_PROFILE, true, NULL, DJ_HIERARCHY},
    {DJ_HIERARCHY, false, NULL, "Total ViewRootImpl"},
    {"Total ViewRootImpl:", true, NULL, "Total Views:"},
    {"Total Views:", true, NULL, "Total DisplayList:"},
    {"Total DisplayList:", true, "B", NULL},
    {"Total ViewRootImpl ", true, NULL, "Total attached Views"},
    {"Total attached Views", true, NULL, "Total RenderNode"},
    {"Total RenderNode", true, "(capacity)", NULL},
    {DJ_NOTE, true, NULL, NULL},
};

void dj_reader_record_milestone(struct dj_reader *reader, struct dj_str line)
{
    for (size_t i = 0; i < COUNT_OF(milestones); i++) {
        const struct milestone *milestone = &milestones[i];
        bool whole = !reader->truncated || milestone->end == NULL ||
                     dj_str_ends(line, milestone->end);
        if (dj_str_begins(line, milestone->word) && whole &&
            (!milestone->within || reader->expected_text != NULL)) {
            reader->expected_text = milestone->next;
            return;
        }
    }
}

/* Returns the statistics to which the last line of the text belongs, or NULL if that
 * line is not a statistics line. */
static const struct dj_stats_block *find_open_block(const struct dj_reader *reader)
{
    return !reader->counting         ? NULL
           : reader->entry != NULL   ? &reader->entry->stats
           : reader->window != NULL  ? &reader->window->stats
           : reader->process != NULL ? &reader->process->stats
                                     : NULL;
}

/* Appends the names of lines: "Janky frames (legacy):", "50th percentile:" or "90th
 * percentile:". */
static void append_lines(struct dj_text *text, uint32_t lines)
{
    size_t count = (size_t)__builtin_popcount(lines);
    for (size_t i = 0; i < count; i++, lines &= lines - 1) {
        dj_text_format(text, "%s\"%s\"", dj_text_append_separator(i, count),
                       dj_gfxinfo_line_at((size_t)__builtin_ctz(lines))->prefix);
    }
}

/* Returns whether the block ends with a truncated histogram. A complete histogram ends
 * with the last bucket. */
static bool is_missing_buckets(const struct dj_stats_block *block)
{
    uint32_t frame = dj_gfxinfo_lines_of_kind(DJ_LINE_HISTOGRAM);
    uint32_t gpu = dj_gfxinfo_lines_of_kind(DJ_LINE_GPU_HISTOGRAM);
    return (block->lines & gpu) != 0
               ? dj_gfxinfo_bucket_is_missing(block->missing_gpu, DJ_GPU_BUCKETS - 1)
               : (block->lines & frame) != 0 && block->lines < frame * 2 &&
                     dj_gfxinfo_bucket_is_missing(block->missing_frame,
                                                  DJ_FRAME_BUCKETS - 1);
}

static bool warn_of_missing_lines(struct dj_reader *reader)
{
    const struct dj_stats_block *block = find_open_block(reader);
    struct dj_text names = {0};
    if (block == NULL) {
        return false;
    }
    bool in_window = reader->window != NULL && reader->process != NULL;
    uint32_t other_lines = in_window ? reader->process->stats.lines : 0;
    uint32_t next_lines =
        dj_release_next_lines(block->lines, other_lines, reader->entry != NULL);
    if (is_missing_buckets(block)) {
        dj_reader_warn(reader, "the text ends within a histogram: its last buckets are "
                               "missing");
        return true;
    }
    if (next_lines == 0) {
        return false;
    }
    append_lines(&names, next_lines);
    dj_reader_warn(reader, "the text ends within the statistics: expected %s next",
                   dj_text_get(&names));
    reader->failed = reader->failed || names.failed;
    dj_text_finish(&names);
    return true;
}

void dj_reader_report_truncation(struct dj_reader *reader)
{
    if (reader->end_reported || warn_of_missing_lines(reader)) {
        return;
    }
    if (reader->seen && (reader->package_seen || reader->uid >= 0)) {
        dj_reader_warn(reader, "the text ends within a graphicsstats entry");
    } else if (reader->process != NULL && reader->expected_text != NULL) {
        dj_reader_warn(reader,
                       "the text ends within the output for a process: \"%s\" is missing "
                       "or truncated",
                       reader->expected_text);
    } else if (reader->in_service) {
        dj_reader_warn(reader, "the text ends within a service of a bug report");
    }
}
