#include <stdio.h>
#include <string.h>

#include "drive/instrument.h"

enum { LISTED = 8 /* instrumentations that a message names */ };

/* A line of `pm list instrumentation`:
 * instrumentation:com.example.test/androidx.test.runner.AndroidJUnitRunner
 * (target=com.example) */
struct entry {
    const char *package, *runner, *target;
    size_t package_length, runner_length, target_length;
};

static bool read_entry(const char *line, size_t length, struct entry *entry)
{
    static const char word[] = "instrumentation:";
    static const char target[] = " (target=";
    size_t skip = sizeof(word) - 1;
    if (length <= skip || memcmp(line, word, skip) != 0) {
        return false;
    }
    const char *end = line + length;
    const char *name = line + skip;
    const char *name_end = memmem(name, (size_t)(end - name), target, sizeof(target) - 1);
    const char *name_stop = name_end != NULL ? name_end : end;
    const char *slash = memchr(name, '/', (size_t)(name_stop - name));
    if (slash == NULL) {
        return false;
    }
    *entry = (struct entry){.package = name,
                            .package_length = (size_t)(slash - name),
                            .runner = slash + 1,
                            .runner_length = (size_t)(name_stop - slash - 1)};
    if (name_end != NULL) {
        entry->target = name_end + sizeof(target) - 1;
        const char *close = memchr(entry->target, ')', (size_t)(end - entry->target));
        entry->target_length = (size_t)((close != NULL ? close : end) - entry->target);
    }
    return true;
}

static bool is(const char *bytes, size_t length, const char *word, size_t word_length)
{
    return length == word_length && memcmp(bytes, word, length) == 0;
}

/* "…Runner" of an entry against what was asked for: ".Runner" is short for
 * "PACKAGE.Runner", on both sides. */
static bool is_runner(const struct entry *entry, const char *runner, size_t length)
{
    const char *own = entry->runner;
    size_t own_length = entry->runner_length;
    size_t prefix = entry->package_length;
    if (is(own, own_length, runner, length)) {
        return true;
    }
    if (length > 0 && runner[0] == '.') {
        return own_length == prefix + length &&
               memcmp(own, entry->package, prefix) == 0 &&
               memcmp(own + prefix, runner, length) == 0;
    }
    return own_length > 0 && own[0] == '.' && length == prefix + own_length &&
           memcmp(runner, entry->package, prefix) == 0 &&
           memcmp(runner + prefix, own, own_length) == 0;
}

enum match { NO_MATCH, BY_TARGET, BY_PACKAGE };

static enum match match(const struct entry *entry, const char *wanted)
{
    const char *slash = strchr(wanted, '/');
    size_t package = slash != NULL ? (size_t)(slash - wanted) : strlen(wanted);
    bool runner = slash == NULL || is_runner(entry, slash + 1, strlen(slash + 1));
    if (runner && is(entry->package, entry->package_length, wanted, package)) {
        return BY_PACKAGE;
    }
    return slash == NULL && entry->target != NULL &&
                   is(entry->target, entry->target_length, wanted, package)
               ? BY_TARGET
               : NO_MATCH;
}

/* All of `level` or better. The first found goes to *found; names are listed. */
static size_t search(const char *list, size_t length, const char *wanted,
                     enum match level, struct dj_instrumentation *found,
                     struct dj_text *names)
{
    size_t count = 0;
    for (const char *at = list; at < list + length;) {
        size_t rest = (size_t)(list + length - at);
        const char *end = memchr(at, '\n', rest);
        size_t line = end != NULL ? (size_t)(end - at) : rest;
        struct entry entry;
        while (line > 0 && at[line - 1] == '\r') {
            line--;
        }
        if (read_entry(at, line, &entry) && match(&entry, wanted) >= level) {
            if (count < LISTED) {
                dj_text_string(names, count > 0 ? ", " : "");
                dj_text_escaped(names, entry.package,
                                entry.package_length + 1 + entry.runner_length);
            }
            if (count++ == 0) {
                snprintf(found->component, sizeof(found->component), "%.*s/%.*s",
                         (int)entry.package_length, entry.package,
                         (int)entry.runner_length, entry.runner);
                snprintf(found->target, sizeof(found->target), "%.*s",
                         (int)entry.target_length,
                         entry.target != NULL ? entry.target : "");
            }
        }
        at = end != NULL ? end + 1 : list + length;
    }
    if (count > LISTED) {
        dj_text_format(names, " and %zu more", count - LISTED);
    }
    return count;
}

static int not_found(const char *list, size_t length, const char *wanted,
                     struct dj_error *err)
{
    struct dj_instrumentation any;
    struct dj_text names = {0};
    size_t count = search(list, length, wanted, NO_MATCH, &any, &names);
    int code = dj_error_set(
        err, DJ_E_NOT_FOUND, "no instrumentation %s is installed; there %s %s", wanted,
        count == 1 ? "is" : "are", count > 0 ? dj_text_get(&names) : "none at all");
    dj_text_finish(&names);
    return code;
}

int dj_instrument_find(const char *list, size_t length, const char *wanted,
                       struct dj_instrumentation *found, struct dj_error *err)
{
    static const enum match levels[] = {BY_PACKAGE, BY_TARGET};
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        struct dj_text names = {0};
        size_t count = search(list, length, wanted, levels[i], found, &names);
        int code = 0;
        if (count > 1) {
            code = dj_error_set(err, DJ_E_USAGE, "%s may be any of %s: name one whole",
                                wanted, dj_text_get(&names));
        }
        dj_text_finish(&names);
        if (count > 0) {
            return code;
        }
    }
    return not_found(list, length, wanted, err);
}
