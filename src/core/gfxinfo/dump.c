#include "gfxinfo/dump.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "frame/interval.h"
#include "gfxinfo/lines.h"

static void finish_window(struct dj_dump_window *window)
{
    for (size_t i = 0; i < window->vendor_count; i++) {
        free(window->vendor[i].name);
    }
    free(window->vendor);
    free(window->title);
    free(window->stats_title);
    free(window->profile);
    if (!window->rows_borrowed) {
        free(window->frames);
        free(window->vendor_values);
    }
}

static void finish_process(struct dj_dump_process *process)
{
    for (size_t i = 0; i < process->window_count; i++) {
        finish_window(&process->windows[i]);
    }
    for (size_t i = 0; i < process->section_count; i++) {
        free(process->sections[i].text);
    }
    free(process->windows);
    free(process->sections);
    free(process->name);
    free(process->pipeline);
    free(process->disabled);
    free(process->cut_short);
}

static void finish_davey(struct dj_davey *davey)
{
    for (size_t i = 0; i < davey->other_count; i++) {
        free(davey->others[i].name);
    }
    free(davey->others);
}

void dj_gfxinfo_dump_finish(struct dj_dump *dump)
{
    for (size_t i = 0; i < dump->process_count; i++) {
        finish_process(&dump->processes[i]);
    }
    for (size_t i = 0; i < dump->graphicsstats_count; i++) {
        free(dump->graphicsstats[i].package);
    }
    for (size_t i = 0; i < dump->davey_count; i++) {
        finish_davey(&dump->daveys[i]);
    }
    free(dump->processes);
    free(dump->graphicsstats);
    free(dump->daveys);
    dj_gfxinfo_surface_finish(&dump->surfaces);
    free(dump->not_found);
    *dump = (struct dj_dump){0};
}

/* Appends the value to the array. Evaluates to the address of the new element, or to
 * NULL if there is not enough memory. */
#define ADD(array, count, ...)                                                           \
    (DJ_ARRAY_PUSH(array, count, __VA_ARGS__) ? &(array)[(count)-1] : NULL)

struct dj_dump_process *dj_gfxinfo_dump_add_process(struct dj_dump *dump)
{
    return ADD(dump->processes, dump->process_count,
               (struct dj_dump_process){.pid = -1, .recovered = -1, .expected = -1});
}

struct dj_dump_window *dj_gfxinfo_dump_add_window(struct dj_dump_process *process)
{
    return ADD(process->windows, process->window_count,
               (struct dj_dump_window){.visibility = -1});
}

struct dj_dump_section *dj_gfxinfo_dump_add_section(struct dj_dump_process *process)
{
    return ADD(process->sections, process->section_count, (struct dj_dump_section){0});
}

struct dj_graphicsstats *dj_gfxinfo_dump_add_graphicsstats(struct dj_dump *dump)
{
    return ADD(dump->graphicsstats, dump->graphicsstats_count,
               (struct dj_graphicsstats){
                   .version = -1, .uid = -1, .start_ms = -1, .end_ms = -1});
}

struct dj_davey *dj_gfxinfo_dump_add_davey(struct dj_dump *dump)
{
    return ADD(dump->daveys, dump->davey_count, (struct dj_davey){.pid = -1});
}

double dj_gfxinfo_block_janky_pct(const struct dj_stats_block *block,
                                  enum dj_counter janky)
{
    double printed_pct =
        janky == DJ_COUNTER_JANKY ? block->printed_janky_pct : block->printed_legacy_pct;
    bool printed = block->lines != UINT32_MAX && !isnan(printed_pct);
    if (block->stats.counter[DJ_COUNTER_TOTAL] == 0) {
        return (double)NAN;
    }
    return printed ? printed_pct : dj_frame_stats_janky_pct(&block->stats, janky);
}

bool dj_gfxinfo_block_has_gpu_times(const struct dj_stats_block *block)
{
    uint32_t line = dj_gfxinfo_lines_of_kind(DJ_LINE_GPU_HISTOGRAM);
    bool whole = (block->lines & line) != 0;
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        if (block->stats.gpu_histogram[i] > 0) {
            return true;
        }
        whole = whole && !dj_gfxinfo_bucket_is_missing(block->missing_gpu, i);
    }
    return !whole;
}

const char *dj_gfxinfo_dump_section_title(const struct dj_dump_section *section,
                                          char title[DJ_SECTION_TITLE])
{
    const char *at = section->text + strspn(section->text, " \t");
    size_t length = strcspn(at, "\n");
    while (length > 0 && (at[length - 1] == ':' || at[length - 1] == ' ')) {
        length--;
    }
    length = length < DJ_SECTION_TITLE ? length : DJ_SECTION_TITLE - 1;
    memcpy(title, at, length);
    title[length] = '\0';
    return title;
}

bool dj_gfxinfo_dump_vendor_next(const struct dj_dump_window *window, size_t columns,
                                 size_t vendors)
{
    return vendors < window->vendor_count &&
           (columns >= window->columns.count ||
            window->vendor[vendors].position <= columns + vendors);
}

uint64_t dj_gfxinfo_dump_required_columns(const struct dj_dump_process *process,
                                          const struct dj_dump_window *window)
{
    return dj_frame_column_mask(&window->columns) & ~process->not_recorded;
}

const char *dj_gfxinfo_dump_window_title(const struct dj_dump_window *window)
{
    const char *title = window->title != NULL ? window->title : window->stats_title;
    return title != NULL ? title : "";
}

size_t dj_gfxinfo_dump_window_ordinal(const struct dj_dump_process *process, size_t index)
{
    const char *title = dj_gfxinfo_dump_window_title(&process->windows[index]);
    size_t ordinal = 0;
    for (size_t i = 0; i < index; i++) {
        ordinal += strcmp(dj_gfxinfo_dump_window_title(&process->windows[i]), title) == 0;
    }
    return ordinal;
}

const struct dj_dialect *dj_gfxinfo_dump_dialect(const struct dj_dump *dump,
                                                 const struct dj_dump_process *process)
{
    return process != NULL && process->dialect != NULL ? process->dialect
           : dump->dialect != NULL                     ? dump->dialect
                                                       : dj_frame_dialect_default();
}

struct dj_summary_rules dj_gfxinfo_dump_rules(const struct dj_dump *dump,
                                              const struct dj_dump_process *process,
                                              const struct dj_dump_window *window,
                                              int64_t *scratch)
{
    const struct dj_interval given = {process->interval_ns, process->interval_assumed};
    const struct dj_interval interval =
        dj_frame_choose_interval(given, window->frames, window->frame_count, scratch);
    return (struct dj_summary_rules){
        .dialect = dj_gfxinfo_dump_dialect(dump, process),
        .interval_ns = interval.ns,
        .interval_assumed = interval.assumed,
        .required = dj_gfxinfo_dump_required_columns(process, window),
        .plausible = dump->plausible,
    };
}
