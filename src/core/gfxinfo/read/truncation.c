
#include "gfxinfo/grammar.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/read/reader.h"
#include "gfxinfo/release.h"

/* Text that must follow a line in a process's section, and how the complete line ends,
 * because the text may break off inside it. Every release ends a section with the
 * totals of its view hierarchy, in these words until 10 and in others since 11.
 * dejank's sections end in notes instead. */
static const struct milestone {
    const char *word;
    bool within;      /* counts only after the section's header */
    const char *end;  /* NULL: any end */
    const char *next; /* NULL: nothing, the section is complete */
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
        bool whole =
            !reader->cut || milestone->end == NULL || dj_str_ends(line, milestone->end);
        if (dj_str_begins(line, milestone->word) && whole &&
            (!milestone->within || reader->due != NULL)) {
            reader->due = milestone->next;
            return;
        }
    }
}

/* Returns the block that the last line of the text belongs to, or NULL if that line is
 * not a statistics line. */
static const struct dj_stats_block *open_block(const struct dj_reader *reader)
{
    return !reader->counting         ? NULL
           : reader->entry != NULL   ? &reader->entry->stats
           : reader->window != NULL  ? &reader->window->stats
           : reader->process != NULL ? &reader->process->stats
                                     : NULL;
}

/* "Janky frames (legacy):", "50th percentile:" or "90th percentile:" */
static void append_lines(struct dj_text *text, uint32_t lines)
{
    size_t count = (size_t)__builtin_popcount(lines);
    for (size_t i = 0; i < count; i++, lines &= lines - 1) {
        dj_text_format(text, "%s\"%s\"", dj_text_append_separator(i, count),
                       dj_gfxinfo_line_at((size_t)__builtin_ctz(lines))->prefix);
    }
}

/* If the last line of a block is a histogram, it ends with the last bucket. */
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
    const struct dj_stats_block *block = open_block(reader);
    struct dj_text names = {0};
    if (block == NULL) {
        return false;
    }
    bool in_window = reader->window != NULL && reader->process != NULL;
    uint32_t beside = in_window ? reader->process->stats.lines : 0;
    uint32_t due = dj_release_next_lines(block->lines, beside, reader->entry != NULL);
    if (is_missing_buckets(block)) {
        dj_reader_warn(reader, "the text ends within a histogram: its last buckets are "
                               "missing");
        return true;
    }
    if (due == 0) {
        return false;
    }
    append_lines(&names, due);
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
        dj_reader_warn(reader, "the text ends within an entry of graphicsstats");
    } else if (reader->process != NULL && reader->due != NULL) {
        dj_reader_warn(reader,
                       "the text ends within a process's section: \"%s\", which every "
                       "release prints before its end, is missing or cut",
                       reader->due);
    } else if (reader->in_service) {
        dj_reader_warn(reader, "the text ends within a service of a bug report");
    }
}
