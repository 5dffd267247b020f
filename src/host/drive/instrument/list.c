#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "drive/instrument.h"

enum { LISTED = 8 /* Maximum number of instrumentations that a message lists. */ };

/* A line of the output of `pm list instrumentation`, such as
 * "instrumentation:com.example.test/androidx.test.runner.AndroidJUnitRunner
 * (target=com.example)". */
struct entry {
    struct dj_str package, runner, target;
};

static bool read_entry(struct dj_str line, struct entry *entry)
{
    static const char word[] = "instrumentation:";
    struct dj_str name, runner, target = {0};
    if (!dj_str_begins(line, word) || !dj_str_after(line, word, &name)) {
        return false;
    }
    if (dj_str_after(name, " (target=", &target)) {
        name.length = (size_t)(target.at - name.at) - strlen(" (target=");
    }
    if (!dj_str_after(name, "/", &runner)) {
        return false;
    }
    name.length -= runner.length + 1;
    *entry = (struct entry){name, runner, dj_str_until(target, ")")};
    return true;
}

/* Returns whether `whole` is "PACKAGE.Runner" and `brief` is ".Runner". */
static bool is_long_form(struct dj_str whole, struct dj_str package, struct dj_str brief)
{
    return dj_str_begins(brief, ".") && whole.length == package.length + brief.length &&
           memcmp(whole.at, package.at, package.length) == 0 &&
           memcmp(whole.at + package.length, brief.at, brief.length) == 0;
}

/* Compares the runner of an entry with the requested runner. Either name may be
 * abbreviated. */
static bool is_runner(const struct entry *entry, struct dj_str runner)
{
    return dj_str_equal(entry->runner, runner) ||
           is_long_form(entry->runner, entry->package, runner) ||
           is_long_form(runner, entry->package, entry->runner);
}

enum match_entry { NO_MATCH, BY_TARGET, BY_PACKAGE };

static enum match_entry match_entry(const struct entry *entry, const char *wanted)
{
    struct dj_str package = dj_str_of(wanted), runner;
    bool is_exact = dj_str_after(package, "/", &runner);
    package.length -= is_exact ? runner.length + 1 : 0;
    if (dj_str_equal(entry->package, package) &&
        (!is_exact || is_runner(entry, runner))) {
        return BY_PACKAGE;
    }
    bool is_target =
        !is_exact && entry->target.length > 0 && dj_str_equal(entry->target, package);
    return is_target ? BY_TARGET : NO_MATCH;
}

/* Finds the entries that match `wanted` with `level` or better. Sets *found to the first
 * entry, appends the names of the entries to *names, and returns their number. */
static size_t find_entries(const char *list, size_t length, const char *wanted,
                           enum match_entry level, struct dj_instrumentation *found,
                           struct dj_text *names)
{
    size_t count = 0;
    struct dj_str rest = {list, length}, line;
    struct entry entry;
    while (dj_str_next_line(&rest, &line)) {
        if (!read_entry(line, &entry) || match_entry(&entry, wanted) < level) {
            continue;
        }
        struct dj_str component = {entry.package.at,
                                   entry.package.length + 1 + entry.runner.length};
        if (count < LISTED) {
            dj_text_add(names, count > 0 ? ", " : "");
            dj_text_append_escaped(names, component.at, component.length);
        }
        if (count++ == 0) {
            snprintf(found->component, sizeof(found->component), "%.*s",
                     (int)component.length, component.at);
            snprintf(found->target, sizeof(found->target), "%.*s",
                     (int)entry.target.length, entry.target.at);
        }
    }
    if (count > LISTED) {
        dj_text_format(names, " and %zu more", count - LISTED);
    }
    return count;
}

static int fail_not_found(const char *list, size_t length, const char *wanted,
                          struct dj_error *err)
{
    struct dj_instrumentation any;
    struct dj_text names = {0};
    size_t count = find_entries(list, length, wanted, NO_MATCH, &any, &names);
    int code = dj_error_set(
        err, DJ_E_NOT_FOUND, "no instrumentation %s is installed; there %s %s", wanted,
        count == 1 ? "is" : "are", count > 0 ? dj_text_get(&names) : "none at all");
    dj_text_finish(&names);
    return code;
}

int dj_instrument_find(const char *list, size_t length, const char *wanted,
                       struct dj_instrumentation *found, struct dj_error *err)
{
    static const enum match_entry levels[] = {BY_PACKAGE, BY_TARGET};
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        struct dj_text names = {0};
        size_t count = find_entries(list, length, wanted, levels[i], found, &names);
        int code = 0;
        if (count > 1) {
            code = dj_error_set(err, DJ_E_USAGE, "%s is ambiguous; use one of %s", wanted,
                                dj_text_get(&names));
        }
        dj_text_finish(&names);
        if (count > 0) {
            return code;
        }
    }
    return fail_not_found(list, length, wanted, err);
}
