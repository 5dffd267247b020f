#include "report/batches/describe.h"

#include <math.h>

#include "report/document.h"
#include "report/escape/name.h"

void dj_batches_write_name(struct dj_text *text, const struct dj_batches *batches,
                           size_t index)
{
    char name[DJ_BATCH_NAME];
    dj_batches_format_name(batches, index, name);
    dj_text_append_escaped_name(text, name);
}

void dj_batches_describe_app(struct dj_text *text, const struct dj_batch *batch)
{
    bool same = batch->row.model != NULL && batch->row.serial != NULL &&
                strcmp(batch->row.model, batch->row.serial) == 0;
    dj_text_append_name(text, "", batch->row.project, "");
    dj_text_append_name(text, ", ", batch->row.name, "");
    dj_text_append_name(text, " on ",
                        batch->row.model != NULL ? batch->row.model : batch->row.serial,
                        "");
    if (batch->row.model != NULL && !same) {
        dj_text_append_name(text, " (", batch->row.serial, ")");
    }
    dj_text_append_name(text, ", ", batch->row.release, "");
    dj_text_append_name(text, "; version ", batch->row.version, "");
    dj_text_append_name(text, ", commit ", batch->row.commit, "");
    dj_text_append_name(text, "; batch ", batch->row.id, "");
}

static void write_count(struct dj_text *text, int64_t count, const char *one,
                        const char *more)
{
    if (count > 0) {
        dj_text_format(text, ", %lld %s", (long long)count, count == 1 ? one : more);
    }
}

void dj_batches_describe_runs(struct dj_text *text, const struct dj_batch *batch)
{
    const struct dj_run_counts *runs = &batch->row.runs;
    dj_text_format(text, "%lld %s run%s", (long long)runs->clean,
                   runs->disturbed > 0 ? "counted" : "clean",
                   runs->clean == 1 ? "" : "s");
    if (runs->planned > 0) {
        dj_text_format(text, " of %lld planned", (long long)runs->planned);
    }
    write_count(text, runs->disturbed, "of them disturbed", "of them disturbed");
    write_count(text, runs->failed, "that failed", "that failed");
    write_count(text, runs->excluded, "excluded", "excluded");
    write_count(text, runs->warmups, "warm-up", "warm-ups");
    dj_text_append_name(text, "; the whole batch is excluded: ", batch->row.excluded, "");
}

void dj_batches_describe_outcomes(struct dj_text *text, const char *before,
                                  const struct dj_batch *batch)
{
    bool any = false;
    dj_text_add(text, before);
    for (int i = 0; i < DJ_RUN_OUTCOMES; i++) {
        size_t count = 0;
        for (size_t k = 0; k < batch->run_count; k++) {
            count += (int)batch->runs[k].outcome == i && !batch->runs[k].warmup;
        }
        if (count > 0) {
            dj_text_format(text, "%s%zu" DJ_NBSP, any ? ", " : "", count);
            dj_name_write_slug(text, dj_facts_outcome_name((enum dj_run_outcome)i));
            any = true;
        }
    }
    dj_text_add(text, any ? "" : "no run");
}

static void write_condition(struct dj_text *text,
                            const struct dj_batch_condition *condition)
{
    dj_text_append_escaped_name(text, condition->name);
    if (isfinite(condition->least)) {
        dj_text_format(text, " %.6g", condition->least);
        if (condition->most > condition->least) {
            dj_text_format(text, " … %.6g", condition->most);
        }
        dj_text_append_name(text, " ", condition->unit, "");
    } else if (condition->text != NULL) {
        dj_text_append_name(text, " ", condition->text, "");
    } else {
        dj_text_add(text, " unknown");
    }
}

void dj_batches_describe_conditions(struct dj_text *text,
                                    const struct dj_batches *batches, size_t index)
{
    const struct dj_batch *batch = &batches->batch[index];
    dj_batches_write_name(text, batches, index);
    dj_text_add(text, batch->condition_count == 0 ? ": none recorded" : ": ");
    for (size_t i = 0; i < batch->condition_count; i++) {
        dj_text_add(text, i > 0 ? ", " : "");
        write_condition(text, &batch->conditions[i]);
    }
}

void dj_batches_format_figure_title(struct dj_text *text,
                                    const struct dj_batch_figure *figure)
{
    dj_text_format(text, "%s%s%s", figure->name, figure->unit[0] != '\0' ? ", " : "",
                   figure->unit);
}

void dj_batches_format_value(struct dj_text *text, const char *before,
                             const struct dj_batch_figure *figure, double value)
{
    dj_text_format(text, "%s%.*f", before, figure->digits, value / figure->factor);
}

void dj_batches_describe_zero_counts(struct dj_text *text,
                                     const struct dj_batches *batches)
{
    const struct dj_batch_figure *figure;
    bool any = false;
    for (size_t i = 0; (figure = dj_batches_get_figure(i)) != NULL; i++) {
        if (dj_batches_is_always_zero(batches, figure)) {
            dj_text_add(text, any ? ", " : "In no run: ");
            dj_text_add(text, figure->name);
            any = true;
        }
    }
    dj_text_add(text, any ? "." : "");
}

const char *dj_batches_get_times_name(const struct dj_batch *batch)
{
    return batch->times.count == 0 ? "as hwui counts"
           : batch->guide_total    ? "guide_total: no rule judges these frames"
                                   : "exact frame times, to 1.1 %";
}
