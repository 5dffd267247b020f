/* Pages: the list of batches, and one batch with its runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/dump_input.h"
#include "memory/memory.h"
#include "report/batches.h"
#include "report/dumps.h"
#include "report/stored_batch.h"
#include "serve/pages/page.h"
#include "store/run_evidence.h"

enum { BATCHES_PER_PAGE = 50 };

static int add_filter(struct dj_document *document, struct dj_call *call,
                      const struct dj_batch_filter *filter, struct dj_error *err)
{
    struct dj_text lists[] = {
        [DJ_PROJECT_NAMES] = {0}, [DJ_PROJECT_FLOWS] = {0}, [DJ_PROJECT_DEVICES] = {0}};
    int code = 0;
    for (unsigned i = 0; i < COUNT_OF(lists) && code == 0; i++) {
        code = dj_serve_append_choices(
            &lists[i], call, i, i == DJ_PROJECT_NAMES ? NULL : filter->project, err);
    }
    struct dj_web_field fields[] = {{.name = "project",
                                     .label = "project",
                                     .value = filter->project,
                                     .choices = dj_xtext(&lists[DJ_PROJECT_NAMES])},
                                    {.name = "name",
                                     .label = "flow",
                                     .value = filter->name,
                                     .choices = dj_xtext(&lists[DJ_PROJECT_FLOWS])},
                                    {.name = "device",
                                     .label = "device",
                                     .value = filter->serial,
                                     .choices = dj_xtext(&lists[DJ_PROJECT_DEVICES])}};
    dj_document_add_form(document,
                         &(struct dj_web_form){.action = "/batches",
                                               .submit = "Filter",
                                               .fields = fields,
                                               .field_count = COUNT_OF(fields)});
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        dj_text_finish(&lists[i]);
    }
    return code;
}

int dj_serve_show_batches(struct dj_call *call, struct dj_error *err)
{
    struct dj_batch_filter filter = {
        .project = dj_serve_get_parameter(call->request, "project"),
        .name = dj_serve_get_parameter(call->request, "name"),
        .serial = dj_serve_get_parameter(call->request, "device"),
        .most = BATCHES_PER_PAGE + 1};
    struct dj_batch_list list = {0};
    struct dj_document document = {0};
    struct dj_text words = {0};
    int64_t page;
    int code = dj_serve_get_number(call->request, "page", 1, 1, 1000000, &page, err);
    filter.skip = (page - 1) * BATCHES_PER_PAGE;
    code = code == 0 ? dj_report_load_batch_list(&list, call->store, &filter, err) : code;
    if (code == 0) {
        dj_document_set_title(&document, "Batches");
        dj_text_add(&words, list.count == 0 ? "No batch matches." : "Newest first.");
        dj_document_add_paragraph(&document, &words);
        code = add_filter(&document, call, &filter, err);
    }
    if (code == 0) {
        dj_report_add_batch_list(&document, &list, BATCHES_PER_PAGE);
        dj_serve_append_address(&words, call->request, "page");
        dj_serve_add_paging(&document, dj_xtext(&words), page,
                            list.count > BATCHES_PER_PAGE);
        dj_text_finish(&words);
        code = dj_serve_reply_page(call, &document, page == 1);
    }
    dj_document_finish(&document);
    dj_report_finish_batch_list(&list);
    return code;
}

static void get_number(struct dj_cell *cell, const void *record)
{
    const struct dj_run_row *run = record;
    dj_cell_format(cell, run->warmup ? "warm-up %" PRId64 : "%" PRId64, run->number);
    if (run->attempt > 1) {
        dj_cell_format(cell, ", attempt %" PRId64, run->attempt);
    }
    dj_text_format(&cell->target, "/runs/%" PRId64, run->key);
}

static void get_outcome(struct dj_cell *cell, const void *record)
{
    const struct dj_run_row *run = record;
    dj_cell_format(cell, "%s",
                   run->excluded != NULL ? "excluded"
                                         : dj_facts_outcome_name(run->outcome));
    cell->tone = run->outcome != DJ_RUN_OK || run->excluded != NULL ? DJ_TONE_WARNING
                                                                    : DJ_TONE_PLAIN;
}

static void get_p95(struct dj_cell *cell, const void *record)
{
    const struct dj_run_row *run = record;
    dj_cell_set_number(cell, run->metrics.value[DJ_METRIC_FRAME_TIME_P95] / 1e6, 2);
}

static void get_jank(struct dj_cell *cell, const void *record)
{
    const struct dj_run_row *run = record;
    dj_cell_set_number(cell, run->metrics.value[DJ_METRIC_JANKY_PCT], 2);
}

static void get_frames(struct dj_cell *cell, const void *record)
{
    const struct dj_run_row *run = record;
    dj_cell_set_number(cell, run->metrics.value[DJ_METRIC_FRAMES], 0);
}

static void get_reason(struct dj_cell *cell, const void *record)
{
    const struct dj_run_row *run = record;
    dj_text_append_name(&cell->text, "",
                        run->excluded != NULL ? run->excluded : run->reason, "");
}

static const struct dj_table_column run_columns[] = {
    {"run", NULL, false, get_number},        {"outcome", NULL, false, get_outcome},
    {"frames", NULL, true, get_frames},      {"janky", "%", true, get_jank},
    {"p95 frame time", "ms", true, get_p95}, {"note", NULL, false, get_reason},
};

static void add_runs(struct dj_document *document, const struct dj_batch *batch)
{
    dj_document_add_heading(document, 2, "Runs of this batch");
    dj_document_begin_table(document, run_columns, COUNT_OF(run_columns));
    for (size_t i = 0; i < batch->run_count; i++) {
        dj_document_add_row(document, &batch->runs[i]);
    }
}

static void add_batch_links(struct dj_document *document,
                            const struct dj_batch_row *batch)
{
    struct dj_text path = {0}, title = {0};
    dj_serve_append_path(&path, "projects", batch->project);
    dj_text_append_name(&title, "Trends of ", batch->project, "");
    dj_serve_add_link(document, &path, &title);
    dj_text_format(&path, "/compare?b=%s", batch->id);
    dj_text_add(&title, "Compare with another batch");
    dj_serve_add_link(document, &path, &title);
}

int dj_serve_show_batch(struct dj_call *call, struct dj_error *err)
{
    struct dj_batches batches = {0};
    struct dj_document document = {0}, runs = {0};
    int64_t key;
    int code = dj_serve_find_batch(call, call->request->segments[1], &key, err);
    code = code == 0 ? dj_report_add_batch(&batches, call->store, key, err) : code;
    if (code == 0) {
        dj_report_build_batches(&document, &batches);
        add_runs(&runs, &batches.batch[0]);
        add_batch_links(&runs, &batches.batch[0].row);
        dj_document_insert_before_details(&document, &runs);
        dj_document_remove_commands(&document);
        code = dj_serve_reply_page(call, &document, true);
    }
    dj_report_finish_batches(&batches);
    return code;
}
