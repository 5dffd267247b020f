#include "report/dump/document.h"

#include <inttypes.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "report/dump/process.h"
#include "report/dump/verdict.h"
#include "report/view/notes.h"

/* Maximum number of processes without frames that the document names. */
enum { IDLE_SHOWN = 3 };

struct process_row {
    const struct dj_dump_process *process;
    struct dj_assessment assessment;
    size_t index;
};

static const struct process_row *get_row(const void *record)
{
    return record;
}

/* Returns the larger one of two samples of the process: the frames that hwui counted, or
 * the rows of the dump. */
static const struct dj_jank_sample *get_sample(const void *record)
{
    const struct dj_assessment *assessment = &get_row(record)->assessment;
    return assessment->counts.frames > assessment->rows.frames ? &assessment->counts
                                                               : &assessment->rows;
}

static void get_name(struct dj_cell *cell, const void *record)
{
    const struct dj_dump_process *process = get_row(record)->process;
    dj_cell_format(cell, "%s", process->name != NULL ? process->name : "without a name");
}

static void get_pid(struct dj_cell *cell, const void *record)
{
    if (get_row(record)->process->pid >= 0) {
        dj_cell_format(cell, "%" PRId64, get_row(record)->process->pid);
    }
}

static void get_verdict(struct dj_cell *cell, const void *record)
{
    enum dj_grade grade = get_row(record)->assessment.grade;
    cell->tone = dj_verdict_get_tone(grade);
    dj_cell_format(cell, "%s", dj_assessment_get_grade_text(grade));
}

static void get_frames(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%" PRIu64, get_sample(record)->frames);
}

static void get_janky(struct dj_cell *cell, const void *record)
{
    if (get_sample(record)->frames > 0) {
        dj_cell_set_number(cell, dj_assessment_compute_percent(get_sample(record)), 2);
    }
}

static const struct dj_table_column columns[] = {
    {"process", NULL, false, get_name},    {"pid", NULL, true, get_pid},
    {"frames", NULL, true, get_frames},    {"janky", "%", true, get_janky},
    {"verdict", NULL, false, get_verdict},
};

static int by_badness(const void *a, const void *b)
{
    const struct process_row *left = a, *right = b;
    return dj_assessment_is_worse(&right->assessment, &left->assessment)   ? 1
           : dj_assessment_is_worse(&left->assessment, &right->assessment) ? -1
           : left->index < right->index                                    ? -1
                                                                           : 1;
}

static bool is_idle(const struct process_row *row)
{
    return row->assessment.grade == DJ_GRADE_NO_FRAMES;
}

/* Names at most `most` processes without frames. */
static void add_idle(struct dj_document *document, const struct process_row *rows,
                     size_t count, size_t most)
{
    struct dj_text words = {0};
    size_t idle = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = rows[i].process->name;
        if (is_idle(&rows[i]) && idle++ < most) {
            dj_text_format(&words, "%s%s", words.length > 0 ? ", " : "No frames: ",
                           name != NULL ? name : "a process without a name");
        }
    }
    if (idle > most) {
        dj_text_format(&words, " and %zu more", idle - most);
    }
    if (idle > 0) {
        dj_text_add(&words, ".");
        dj_document_add_paragraph(document, &words);
    }
}

/* Adds a table of the processes that drew frames, worst first, and one line about all
 * other processes. */
static void add_processes(struct dj_document *document, const struct dj_parsed *parsed)
{
    size_t count = parsed->dump.process_count;
    struct process_row *rows = dj_xcalloc(count, sizeof(*rows));
    size_t idle = 0;
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct process_row){&parsed->dump.processes[i],
                                       dj_assessment_compute(parsed, i), i};
        idle += is_idle(&rows[i]);
    }
    qsort(rows, count, sizeof(*rows), by_badness);
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    for (size_t i = 0; i < count; i++) {
        if (!is_idle(&rows[i])) {
            dj_document_add_row(document, &rows[i]);
        }
    }
    add_idle(document, rows, count, IDLE_SHOWN);
    if (idle > IDLE_SHOWN) {
        dj_document_begin_details(document, "processes without frames", true);
        add_idle(document, rows, count, idle);
        dj_document_end_details(document);
    }
    free(rows);
}

/* Returns the number of views of the process whose first view is `first`. The views are
 * in the order of the processes, and each process has at least one view. */
static size_t count_views(const struct dj_views *views, size_t first)
{
    size_t count = 0;
    while (first + count < views->count &&
           views->view[first + count].process == views->view[first].process) {
        count++;
    }
    return count;
}

static void add_process(struct dj_document *document, const struct dj_parsed *parsed,
                        const struct dj_views *views, size_t index)
{
    size_t first = 0;
    for (size_t i = 0; i < index; i++) {
        first += count_views(views, first);
    }
    dj_dump_add_process(document, parsed, index, &views->view[first],
                        count_views(views, first));
}

static void add_other_processes(struct dj_document *document,
                                const struct dj_parsed *parsed,
                                const struct dj_views *views, size_t worst)
{
    size_t count = parsed->dump.process_count;
    const char *title = count == 2 ? "the other process" : "the other processes";
    if (document->is_brief) {
        dj_document_omit_details(document, title);
        return;
    }
    dj_document_begin_details(document, title, true);
    for (size_t i = 0; i < count; i++) {
        if (i != worst) {
            add_process(document, parsed, views, i);
        }
    }
    dj_document_end_details(document);
}

void dj_dump_add(struct dj_document *document, const struct dj_parsed *parsed,
                 const struct dj_views *views, size_t worst)
{
    size_t count = parsed->dump.process_count;
    struct dj_text words = {0};
    dj_verdict_add_dump(document, parsed, worst);
    if (count == 0) {
        return;
    }
    if (count > 1) {
        add_processes(document, parsed);
        dj_notes_describe_refusal(parsed, &words);
        if (words.length > 0) {
            dj_document_add_note(document, DJ_TONE_WARNING, &words);
        }
    }
    add_process(document, parsed, views, worst);
    if (count > 1) {
        add_other_processes(document, parsed, views, worst);
    }
}
