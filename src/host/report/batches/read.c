#include <stdlib.h>

#include "compare/operand.h"
#include "report/batches.h"
#include "report/instrument_tests.h"
#include "store/open_existing.h"

/* Triages the traces of a batch's runs. A batch without usable traces is reported without
 * triage, and a note says why. */
static void triage_batch(struct dj_batch *batch, struct dj_store *store, int64_t key,
                         struct dj_triage_sum *sum)
{
    struct dj_triage_rules rules = {0};
    struct dj_error err = {0};
    const struct dj_triage_result *result = NULL;
    sum->triage = dj_triage_create(&rules);
    int code = dj_triage_add_batch(sum, store, key, false, &err);
    code = code != 0 ? code : dj_triage_weigh(sum->triage, &result, &err);
    if (code == 0) {
        dj_triage_findings_compute(&sum->findings, sum->triage);
        batch->triage = result;
        batch->tie = &sum->findings;
    } else if (code != DJ_E_NO_DATA || sum->notes.length > 0) {
        dj_text_format(&sum->notes, "traces: %s\n", err.message);
    }
}

/* Adds all batches that a label, version or commit names, oldest first. */
static int read_named(struct dj_store *store, const char *word,
                      const struct dj_side_filter *filter, struct dj_batches *batches,
                      struct dj_triage_sum *sums, struct dj_error *err)
{
    struct dj_named_batches named = {NULL, 0};
    int code = dj_compare_named_batches_find(store, dj_compare_operand_batch_name(word),
                                             filter, NULL, &named, err);
    for (size_t i = named.count; i > 0 && code == 0; i--) {
        int64_t key = named.keys[i - 1];
        code = dj_report_add_batch(batches, store, key, err);
        if (code == 0 && batches->jank_rule == NULL) {
            size_t last = batches->count - 1;
            triage_batch(&batches->batch[last], store, key, &sums[last]);
        }
    }
    free(named.keys);
    if (code != 0) {
        dj_error_prepend(err, "%.80s", word);
    }
    return code;
}

int dj_report_read_batches(int count, char *const *words,
                           const struct dj_side_filter *filter,
                           struct dj_batches *batches,
                           struct dj_triage_sum sums[DJ_BATCHES_MAX],
                           struct dj_text *tests, struct dj_error *err)
{
    struct dj_store *store = NULL;
    int code = dj_store_open_existing(batches->store, &store, err);
    if (code == 0 && store == NULL) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "the store does not exist: it has no batches");
    }
    for (int i = 0; i < count && code == 0; i++) {
        code = read_named(store, words[i], filter, batches, sums, err);
    }
    if (code == 0 && tests != NULL) {
        code = dj_report_batch_tests(store, batches, tests, err);
    }
    dj_store_close(store);
    return code;
}
