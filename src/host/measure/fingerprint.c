#include "measure/batch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

static void add_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    *hash = dj_hash_fnv(*hash, bytes, size);
}

/* Adds a string to the hash. Also adds a byte before it, so that NULL differs from "",
 * and its NUL, so that "ab","c" differs from "a","bc". */
static void add_word(uint64_t *hash, const char *word)
{
    add_bytes(hash, word != NULL ? "=" : "-", 1);
    if (word != NULL) {
        add_bytes(hash, word, strlen(word) + 1);
    }
}

static void add_number(uint64_t *hash, int64_t number)
{
    char digits[24];
    snprintf(digits, sizeof(digits), "%" PRId64, number);
    add_word(hash, digits);
}

static void format_digits(uint64_t hash, char digits[DJ_FINGERPRINT])
{
    snprintf(digits, DJ_FINGERPRINT, "%016" PRIx64, hash);
}

int dj_fingerprint_file(const char *path, char digits[DJ_FINGERPRINT],
                        struct dj_error *err)
{
    char bytes[16384];
    size_t got;
    uint64_t hash = DJ_HASH_FNV;
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return dj_error_set(err, DJ_E_IO, "cannot open %s: %s", path, strerror(errno));
    }
    while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0) {
        add_bytes(&hash, bytes, got);
    }
    int code = ferror(file) ? dj_error_set(err, DJ_E_IO, "cannot read %s: %s", path,
                                           strerror(errno))
                            : 0;
    fclose(file);
    format_digits(hash, digits);
    return code;
}

static int add_build(uint64_t *hash, const struct dj_build_plan *build,
                     struct dj_error *err)
{
    char digits[DJ_FINGERPRINT];
    int code = 0;
    add_word(hash, build->label);
    add_word(hash, build->version);
    add_word(hash, build->commit);
    if (build->apk != NULL) {
        code = dj_fingerprint_file(build->apk, digits, err);
        add_word(hash, digits);
    }
    for (char *const *word = build->command; word != NULL && *word != NULL; word++) {
        add_word(hash, *word);
    }
    add_word(hash, NULL);
    return code;
}

/* Adds the settings of the trace, because a capture influences the measurement. Does not
 * add settings that have their defaults. So the fingerprint of a plan without these
 * settings is the same as in older versions of dejank. */
static void add_trace(uint64_t *hash, const struct dj_trace_plan *trace)
{
    const int64_t given[] = {trace->before_ns,
                             trace->after_ns,
                             trace->buffer_bytes,
                             trace->size_bytes,
                             trace->level_required ? 1 + (int64_t)trace->level : 0,
                             trace->stacks.cpu + 2 * trace->stacks.waits,
                             trace->stacks.rate_hz,
                             trace->stacks.stack_bytes};
    if (trace->what == DJ_TRACE_NONE) {
        return;
    }
    add_number(hash, trace->what);
    for (size_t i = 0; i < COUNT_OF(given); i++) {
        if (given[i] != 0) {
            add_number(hash, (int64_t)i);
            add_number(hash, given[i]);
        }
    }
    for (size_t i = 0; i < trace->category_count; i++) {
        add_word(hash, trace->categories[i]);
    }
}

int dj_batch_fingerprint(const struct dj_batch_plan *plan,
                         const struct dj_flow_plan *flow, const char *device,
                         char digits[DJ_FINGERPRINT], struct dj_error *err)
{
    uint64_t hash = DJ_HASH_FNV;
    const char *const words[] = {
        device,     plan->project,     plan->package,         plan->activity,
        flow->name, flow->maker->kind, flow->maker->arguments};
    const int64_t numbers[] = {
        flow->duration_ns,    flow->runs > 0 ? flow->runs : plan->runs,
        plan->warmups,        plan->settle_ns,
        (int64_t)plan->seed,  (int64_t)(plan->refresh_hz * 1000),
        plan->aggregate_only, plan->profile,
        plan->attach};
    int code = 0;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        add_word(&hash, words[i]);
    }
    for (const char *const *word = flow->maker->more; word != NULL && *word != NULL;
         word++) {
        add_word(&hash, *word);
    }
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        add_number(&hash, numbers[i]);
    }
    /* The default source adds nothing to the fingerprint, so that batches of older
     * versions can be continued. */
    if (plan->frame_source != NULL && strcmp(plan->frame_source, "auto") != 0) {
        add_word(&hash, plan->frame_source);
    }
    add_trace(&hash, &plan->trace);
    add_word(&hash, plan->objectives);
    for (size_t i = 0; code == 0 && i < plan->build_count; i++) {
        code = add_build(&hash, &plan->builds[i], err);
    }
    format_digits(hash, digits);
    return code;
}
