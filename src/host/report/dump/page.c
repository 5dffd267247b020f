#include "memory/memory.h"
#include "report/dump/document.h"
#include "report/dump/dump.h"
#include "report/verdict/next_step.h"
#include "report/view/notes.h"

enum {
    /* Maximum size in bytes of the text about dumps without frames. Further such dumps
     * are only counted. */
    WEAK_BYTES = 1 << 20
};

/* Sets *worst to the index of the process with the worst verdict. Returns false if there
 * is none. */
static bool find_worst(const struct dj_parsed *parsed, size_t *worst,
                       struct dj_assessment *assessment)
{
    for (size_t i = 0; i < parsed->dump.process_count; i++) {
        struct dj_assessment other = dj_assessment_compute(parsed, i);
        if (i == 0 || dj_assessment_is_worse(&other, assessment)) {
            *worst = i;
            *assessment = other;
        }
    }
    return parsed->dump.process_count > 0;
}

static void write_dump(struct dj_text *text, const struct dj_dump_page *page,
                       const struct dj_parsed *parsed, size_t worst)
{
    struct dj_document document = {.is_brief = !page->with_details};
    struct dj_views views = {0};
    dj_report_add_views(&views, parsed);
    dj_dump_add(&document, parsed, &views, worst);
    dj_document_write_terminal(text, &document, &page->style, page->with_details);
    dj_document_finish(&document);
    dj_report_finish_views(&views);
}

enum {
    EVIDENCE_NONE,
    EVIDENCE_NOTHING,
    EVIDENCE_LAYERS,
    EVIDENCE_DAVEYS,
    EVIDENCE_SUMS,
    EVIDENCE_FRAMES
};

static void update_next_step(struct dj_dump_page *page, const struct dj_parsed *parsed,
                             size_t worst, const struct dj_assessment *assessment)
{
    struct dj_next_subject subject;
    bool drew = assessment != NULL && assessment->grade != DJ_GRADE_NO_FRAMES;
    int evidence = drew                                   ? EVIDENCE_FRAMES
                   : parsed->dump.graphicsstats_count > 0 ? EVIDENCE_SUMS
                   : parsed->dump.davey_count > 0         ? EVIDENCE_DAVEYS
                   : parsed->dump.surfaces.count > 0      ? EVIDENCE_LAYERS
                                                          : EVIDENCE_NOTHING;
    dj_next_step_find_subject(parsed, worst, &subject);
    if (page->name.length == 0) {
        dj_text_add(&page->name, dj_xtext(&subject.name));
    }
    if (evidence > page->evidence ||
        (evidence == EVIDENCE_FRAMES &&
         dj_assessment_is_worse(assessment, &page->assessment))) {
        dj_text_finish(&page->subject.name);
        page->subject = subject;
        page->evidence = evidence;
        page->assessment = assessment != NULL ? *assessment : (struct dj_assessment){0};
        page->step = dj_next_step_find(parsed, assessment);
    } else {
        dj_text_finish(&subject.name);
    }
}

static void write_gap(struct dj_text *text, struct dj_dump_page *page)
{
    dj_text_add(text, page->any ? "\n" : "");
    page->any = true;
}

void dj_report_write_page_dump(struct dj_text *text, struct dj_dump_page *page,
                               const struct dj_parsed *parsed)
{
    struct dj_assessment assessment = {0};
    size_t worst = 0;
    bool any = find_worst(parsed, &worst, &assessment);
    /* If the input has no processes, its graphicsstats and log lines get their verdict at
     * the end of the page. */
    bool logs_alone = !any && parsed->outcome == DJ_OUTCOME_OK;
    if (any && assessment.grade != DJ_GRADE_NO_FRAMES) {
        write_gap(text, page);
        write_dump(text, page, parsed, worst);
    } else if (page->weak.length > WEAK_BYTES) {
        page->weak_beyond++;
    } else if (!logs_alone) {
        dj_text_add(&page->weak, page->weak.length > 0 ? "\n" : "");
        write_dump(&page->weak, page, parsed, worst);
    }
    dj_log_tables_read(&page->logs, &parsed->dump);
    dj_surface_tables_read(&page->layers, &parsed->dump.surfaces);
    update_next_step(page, parsed, worst, any ? &assessment : NULL);
}

static void write_document(struct dj_text *text, struct dj_dump_page *page,
                           struct dj_document *document)
{
    if (document->block_count > 0) {
        write_gap(text, page);
        dj_document_write_terminal(text, document, &page->style, page->with_details);
    }
    dj_document_finish(document);
}

/* Writes the verdict on an input in which only graphicsstats, a log or layers have
 * frames. */
static void write_logs_verdict(struct dj_text *text, struct dj_dump_page *page,
                               const char *source)
{
    struct dj_document document = {0};
    if (!page->any && page->logs.package_count + page->logs.long_frame_count > 0) {
        dj_log_tables_add_verdict(&document, &page->logs, source);
    } else if (!page->any) {
        dj_surface_tables_add_verdict(&document, &page->layers, source);
    }
    write_document(text, page, &document);
}

static void write_weak(struct dj_text *text, struct dj_dump_page *page)
{
    if (page->weak.length > 0) {
        write_gap(text, page);
        dj_text_add(text, dj_xtext(&page->weak));
    }
    if (page->weak_beyond > 0) {
        dj_text_format(text, "… and %zu more dumps without frames\n", page->weak_beyond);
    }
}

/* Adds a note that the device refused something after its last dump. */
static void add_refusal(struct dj_document *document, const struct dj_dump_input *input)
{
    struct dj_parsed rest = {.refusal = input->report.refusal,
                             .was_refused = dj_import_input_was_refused(input),
                             .outcome = input->outcome};
    struct dj_text sentence = {0};
    dj_notes_describe_refusal(&rest, &sentence);
    if (sentence.length > 0) {
        dj_document_add_note(document, DJ_TONE_WARNING, &sentence);
    }
}

void dj_report_end_page(struct dj_text *text, struct dj_dump_page *page,
                        const struct dj_dump_input *input)
{
    struct dj_document document = {0};
    write_logs_verdict(text, page, input->source);
    write_weak(text, page);
    add_refusal(&document, input);
    dj_log_tables_add(&document, &page->logs);
    dj_surface_tables_add(&document, &page->layers);
    if (page->subject.name.length == 0) {
        dj_text_add(&page->subject.name, dj_xtext(&page->name));
    }
    dj_next_step_add(&document, page->step, &page->subject);
    write_document(text, page, &document);
    dj_report_finish_page(page);
}

void dj_report_finish_page(struct dj_dump_page *page)
{
    dj_log_tables_finish(&page->logs);
    dj_surface_tables_finish(&page->layers);
    dj_text_finish(&page->weak);
    dj_text_finish(&page->name);
    dj_text_finish(&page->subject.name);
    *page = (struct dj_dump_page){0};
}
