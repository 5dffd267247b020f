#include "report/trend_pages.h"

#include <string.h>

#include "memory/memory.h"
#include "output/file.h"

static const struct dj_document_format *get_format(const struct dj_trend_pages *pages)
{
    return pages->path != NULL ? dj_document_find_format(pages->path) : NULL;
}

static bool is_picture(const struct dj_trend_pages *pages)
{
    const struct dj_document_format *format = get_format(pages);
    return pages->form == NULL && format != NULL && !dj_document_has_parts(format);
}

static bool is_page(const struct dj_trend_pages *pages)
{
    return pages->path != NULL && !dj_output_has_suffix(pages->path, ".md") &&
           !is_picture(pages);
}

/* Returns whether the output contains a section for each segment. */
static bool has_sections(const struct dj_trend_pages *pages)
{
    return pages->path != NULL || pages->with_details;
}

static void write_document(const struct dj_trend_pages *pages, struct dj_text *text,
                           const struct dj_document *document)
{
    const struct dj_document_format *format = get_format(pages);
    if (document->block_count == 0) {
        return;
    }
    struct dj_text blocks = {0};
    if (format != NULL) {
        dj_document_write_part(&blocks, document, format);
    } else {
        dj_document_write_terminal(&blocks, document, &pages->style, pages->with_details);
    }
    dj_text_format(text, "%s\n", dj_xtext(&blocks));
    dj_text_finish(&blocks);
}

/* Returns whether a segment is the last one of its history and has frames in the store.
 */
static bool ends_history(const struct dj_trend *part, size_t index)
{
    const struct dj_trend_segment *segments = part->segments;
    return segments[index].device_key != 0 &&
           (index + 1 == part->segment_count ||
            strcmp(segments[index].key, segments[index + 1].key) != 0);
}

static int add_section(struct dj_trend_pages *pages, struct dj_document *document,
                       const struct dj_trend *part, size_t index, bool names_history)
{
    const struct dj_trend_segment *segment = &part->segments[index];
    const struct dj_trend_section section = {.number = pages->summary.segments,
                                             .rows = is_picture(pages) ? 0
                                                     : is_page(pages)
                                                         ? DJ_TREND_POINTS_MAX
                                                         : pages->rows,
                                             .names_history = names_history};
    struct dj_trend_stack stack = {.count = 0};
    int code = 0;
    dj_report_add_trend_segment(document, segment, &section);
    if (ends_history(part, index)) {
        code = dj_report_read_trend_stack(&stack, segment, pages->history, pages->err);
        dj_report_add_trend_stack(document, &stack);
    }
    dj_report_finish_trend_stack(&stack);
    return code;
}

static int add_segment(struct dj_trend_pages *pages, const struct dj_trend *part,
                       size_t index)
{
    const struct dj_trend_segment *segment = &part->segments[index];
    bool is_new = strcmp(pages->summary.last_key, segment->key) != 0;
    int code = 0;
    if (is_picture(pages) && pages->summary.segments < DJ_TREND_PICTURE_MAX) {
        code = add_section(pages, &pages->picture, part, index, is_new);
    } else if (has_sections(pages) && !is_picture(pages)) {
        struct dj_document document = {0};
        code = add_section(pages, &document, part, index, is_new);
        write_document(pages, &pages->parts.text, &document);
        dj_document_finish(&document);
        code = code == 0 ? dj_output_spool_flush(&pages->parts, pages->err) : code;
    }
    dj_report_add_to_trend_summary(&pages->summary, segment);
    return code;
}

static bool has_worse(const struct dj_trend *trend)
{
    for (size_t i = 0; i < trend->segment_count; i++) {
        for (size_t k = 0; k < trend->segments[i].change_count; k++) {
            if (dj_trend_change_holds(&trend->segments[i],
                                      &trend->segments[i].changes[k])) {
                return true;
            }
        }
    }
    return false;
}

int dj_report_trend_pages_add(void *user, const struct dj_trend *part)
{
    struct dj_trend_pages *pages = user;
    int code = 0;
    pages->has_worse = pages->has_worse || has_worse(part);
    if (pages->form != NULL) {
        pages->form->part(&pages->parts.text, part, pages->summary.segments);
        pages->summary.segments += part->segment_count;
        return dj_output_spool_flush(&pages->parts, pages->err);
    }
    for (size_t i = 0; i < part->segment_count && code == 0; i++) {
        code = add_segment(pages, part, i);
    }
    return code;
}

/* Writes all bytes to the descriptor `to`. Returns 0, or errno after a failure. */
static int write_all(void *user, int to)
{
    struct dj_trend_pages *pages = user;
    int failure =
        dj_output_stream_write_all(to, dj_xtext(&pages->before), pages->before.length);
    failure = failure == 0 ? dj_output_spool_copy(&pages->parts, to) : failure;
    return failure == 0 ? dj_output_stream_write_all(to, dj_xtext(&pages->after),
                                                     pages->after.length)
                        : failure;
}

static void build_end(const struct dj_trend_pages *pages, struct dj_document *document)
{
    const struct dj_trend_commands commands = {
        .store = pages->store,
        .names_metric = pages->names_metric,
        .suggests_page = pages->path == NULL,
        .hidden = has_sections(pages) ? NULL
                  : pages->summary.segments == 1
                      ? "the values of each version"
                      : "the chart and the versions of each trend"};
    dj_report_end_trend_document(document, &pages->summary, &commands);
}

static int write_picture(struct dj_trend_pages *pages, struct dj_document *start,
                         struct dj_error *err)
{
    struct dj_text text = {0};
    if (pages->summary.segments > DJ_TREND_PICTURE_MAX) {
        struct dj_text words = {0};
        dj_text_format(&words,
                       "This picture shows %d of %zu trends. Write .html for all of "
                       "them, or select with --flow, --device and --metric.",
                       DJ_TREND_PICTURE_MAX, pages->summary.segments);
        dj_document_add_note(start, DJ_TONE_WARNING, &words);
    }
    dj_document_append(start, &pages->picture);
    int code = dj_document_write(&text, start, get_format(pages), err);
    code = code == 0 ? dj_output_write(pages->path, &text, err) : code;
    dj_text_finish(&text);
    return code;
}

static int write_document_file(struct dj_trend_pages *pages, struct dj_error *err)
{
    struct dj_document start = {0};
    struct dj_document end = {0};
    struct dj_text tail = {0};
    int code;
    dj_report_start_trend_document(&start, &pages->summary, !has_sections(pages));
    if (is_picture(pages)) {
        code = write_picture(pages, &start, err);
    } else {
        build_end(pages, &end);
        if (pages->path != NULL) {
            dj_document_write_frame(&pages->before, &tail, &start, get_format(pages));
        }
        write_document(pages, &pages->before, &start);
        write_document(pages, &pages->after, &end);
        dj_text_add(&pages->after, dj_xtext(&tail));
        code = dj_output_produce(pages->path, write_all, pages, err);
    }
    dj_text_finish(&tail);
    dj_document_finish(&start);
    dj_document_finish(&end);
    return code;
}

int dj_report_trend_pages_write(struct dj_trend_pages *pages,
                                const struct dj_trend_totals *totals,
                                struct dj_error *err)
{
    const struct dj_trend_form *form = pages->form;
    if (form == NULL) {
        return write_document_file(pages, err);
    }
    form->head(&pages->before, totals);
    dj_text_add(&pages->after, form->tail != NULL ? form->tail : "");
    return dj_output_produce(pages->path, write_all, pages, err);
}

void dj_report_trend_pages_finish(struct dj_trend_pages *pages)
{
    dj_report_finish_trend_summary(&pages->summary);
    dj_document_finish(&pages->picture);
    dj_text_finish(&pages->before);
    dj_text_finish(&pages->after);
    dj_output_spool_finish(&pages->parts);
}
