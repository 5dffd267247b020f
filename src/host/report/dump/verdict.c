#include "report/dump/verdict.h"

#include <inttypes.h>
#include <math.h>

#include "memory/memory.h"
#include "report/verdict/assessment.h"

static const char *const outcomes[DJ_OUTCOME_COUNT] = {
    [DJ_OUTCOME_NO_FRAMES] = "NO FRAMES",
    [DJ_OUTCOME_NO_PROCESS] = "NO SUCH PROCESS",
    [DJ_OUTCOME_PERMISSION_DENIED] = "PERMISSION DENIED",
    [DJ_OUTCOME_DUMP_FAILED] = "THE DUMP FAILED",
    [DJ_OUTCOME_NOT_GFXINFO] = "NOTHING TO READ",
};

/* Appends the name of the process, or its pid if it has no name. */
static void append_process(struct dj_text *line, const struct dj_dump_process *process)
{
    if (process->name != NULL) {
        dj_text_add(line, process->name);
    } else if (process->pid >= 0) {
        dj_text_format(line, "pid %" PRId64, process->pid);
    } else {
        dj_text_add(line, "a process without a name");
    }
}

static const enum dj_tone tones[DJ_GRADE_COUNT] = {
    [DJ_GRADE_NO_FRAMES] = DJ_TONE_MUTED, [DJ_GRADE_UNJUDGED] = DJ_TONE_MUTED,
    [DJ_GRADE_FEW] = DJ_TONE_MUTED,       [DJ_GRADE_SMOOTH] = DJ_TONE_GOOD,
    [DJ_GRADE_UNEVEN] = DJ_TONE_WARNING,  [DJ_GRADE_JANKY] = DJ_TONE_BAD,
};

enum dj_tone dj_verdict_get_tone(enum dj_grade grade)
{
    return tones[grade];
}

static void add_outcome(struct dj_document *document, const struct dj_parsed *parsed)
{
    struct dj_text words = {0};
    bool is_reported =
        parsed->outcome == DJ_OUTCOME_NO_FRAMES && parsed->dump.process_count == 1;
    if (parsed->outcome != DJ_OUTCOME_OK && !is_reported) {
        dj_text_format(&words, "%s: %s: %s", outcomes[parsed->outcome], parsed->source,
                       parsed->error.message);
        dj_document_add_verdict(document, DJ_TONE_WARNING, &words);
    }
}

static void add_sentence(struct dj_document *document, const char *sentence)
{
    struct dj_text words = {0};
    dj_text_add(&words, sentence);
    dj_document_add_paragraph(document, &words);
}

void dj_verdict_add_dump(struct dj_document *document, const struct dj_parsed *parsed,
                         size_t worst)
{
    const struct dj_dump *dump = &parsed->dump;
    struct dj_text words = {0};
    size_t drew = 0;
    add_outcome(document, parsed);
    if (dump->process_count <= 1) {
        return;
    }
    for (size_t i = 0; i < dump->process_count; i++) {
        drew += dj_assessment_compute(parsed, i).grade != DJ_GRADE_NO_FRAMES;
    }
    enum dj_grade grade = dj_assessment_compute(parsed, worst).grade;
    dj_text_format(&words, "%zu of %zu processes drew frames", drew, dump->process_count);
    if (drew > 0) {
        dj_text_format(&words,
                       "; the worst is %s: ", dj_assessment_get_grade_text(grade));
        append_process(&words, &dump->processes[worst]);
    }
    dj_document_add_verdict(document, tones[grade], &words);
    add_sentence(document, dj_assessment_explain(DJ_GRADE_JANKY));
}

void dj_verdict_add_process(struct dj_document *document, const struct dj_parsed *parsed,
                            size_t index, const struct dj_assessment *assessment)
{
    const struct dj_dump_process *process = &parsed->dump.processes[index];
    struct dj_text words = {0};
    /* If the device refused or the app did not answer, it is unknown whether frames were
     * drawn. The verdict is then not "no frames". */
    bool refused = assessment->grade == DJ_GRADE_NO_FRAMES &&
                   (parsed->outcome == DJ_OUTCOME_PERMISSION_DENIED ||
                    parsed->outcome == DJ_OUTCOME_DUMP_FAILED);
    dj_text_add(&words,
                refused ? "NOT DUMPED" : dj_assessment_get_grade_text(assessment->grade));
    if (process->name != NULL || process->pid >= 0) {
        dj_text_add(&words, ": ");
        append_process(&words, process);
    }
    if (!refused) {
        dj_text_add(&words, ": ");
        dj_assessment_describe(&words, assessment);
    }
    dj_document_add_verdict(document, tones[assessment->grade], &words);
    dj_assessment_describe_rest(&words, assessment);
    if (words.length > 0) {
        dj_document_add_paragraph(document, &words);
    }
    if (parsed->dump.process_count == 1 && !refused) {
        add_sentence(document, dj_assessment_explain(assessment->grade));
    }
}

void dj_verdict_add_rate(struct dj_document *document, const struct dj_parsed *parsed,
                         size_t index, const struct dj_assessment *assessment)
{
    struct dj_text words = {0};
    if (assessment->rows.frames + assessment->exempt == 0) {
        return;
    }
    const struct dj_summary *summary =
        &parsed->processes[index].windows[assessment->window].summary;
    double rate_hz = dj_frame_summary_rate_hz(summary);
    if (isfinite(rate_hz)) {
        dj_text_format(&words,
                       "Frame rate without pauses: %.1f" DJ_NBSP "fps. %zu display "
                       "intervals had no new frame.",
                       rate_hz, summary->dropped_intervals);
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
}
