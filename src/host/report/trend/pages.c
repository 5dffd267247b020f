#include "report/trend_pages.h"

#include <string.h>

#include "memory/memory.h"
#include "output/file.h"

static bool any_stands(const struct dj_trend *trend)
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
    const struct dj_trend_form *form = pages->form;
    pages->page.trend = part;
    pages->stands = pages->stands || any_stands(part);
    int code = form->stacks
                   ? dj_report_read_trend_stacks(&pages->page, pages->history, pages->err)
                   : 0;
    if (code == 0 && form->draw != NULL) {
        form->draw(&pages->drawn.text, &pages->page);
    }
    if (code == 0 && form->part != NULL) {
        form->part(&pages->parts.text, &pages->page);
    }
    dj_report_end_trend_part(&pages->page);
    code = code == 0 ? dj_output_spool_flush(&pages->drawn, pages->err) : code;
    return code == 0 ? dj_output_spool_flush(&pages->parts, pages->err) : code;
}

/* 0, or errno. */
static int write_all(void *user, int to)
{
    struct dj_trend_pages *pages = user;
    const struct dj_trend_form *form = pages->form;
    const char *middle = form->middle != NULL ? form->middle : "";
    const char *tail = form->tail != NULL ? form->tail : "";
    int failure =
        dj_output_stream_write_all(to, dj_xtext(&pages->head), pages->head.length);
    failure = failure == 0 ? dj_output_spool_copy(&pages->drawn, to) : failure;
    failure =
        failure == 0 ? dj_output_stream_write_all(to, middle, strlen(middle)) : failure;
    failure = failure == 0 ? dj_output_spool_copy(&pages->parts, to) : failure;
    return failure == 0 ? dj_output_stream_write_all(to, tail, strlen(tail)) : failure;
}

int dj_report_trend_pages_write(struct dj_trend_pages *pages,
                                const struct dj_trend_totals *told, const char *path,
                                struct dj_error *err)
{
    if (pages->form->head != NULL) {
        pages->form->head(&pages->head, &pages->page, told);
    }
    return dj_output_produce(path, write_all, pages, err);
}

void dj_report_trend_pages_finish(struct dj_trend_pages *pages)
{
    dj_report_end_trend_part(&pages->page);
    dj_text_finish(&pages->head);
    dj_output_spool_finish(&pages->drawn);
    dj_output_spool_finish(&pages->parts);
}
