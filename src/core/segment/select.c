#include "segment/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct collection {
    struct dj_segment_selection *selection;
    dj_segment_error_callback *report_error;
    void *user;
    size_t file_count; /* Number of files found in the current directory. */
    bool no_memory;
};

bool dj_segment_is_reportable_error(int code, const struct dj_segment_file *file)
{
    return code != DJ_E_NOT_FOUND && (code != DJ_E_NO_DATA || file->ended);
}

static bool add_candidate(const struct dj_segment_file *file, void *user)
{
    struct collection *collection = user;
    struct dj_segment_selection *selection = collection->selection;
    struct dj_segment_candidate candidate = {.file = *file};
    struct dj_error err = {0};
    if (collection->file_count++ == DJ_SELECT_FILES_PER_DIRECTORY) {
        selection->cut = true;
        return false;
    }
    if (file->other_boot) {
        return true;
    }
    int code = dj_segment_identify(file->path, file->owner, &candidate.identity, &err);
    if (code == 0) {
        collection->no_memory =
            !candidate.identity.other_boot &&
            !DJ_ARRAY_PUSH(selection->candidates, selection->count, candidate);
    } else if (collection->report_error != NULL &&
               dj_segment_is_reportable_error(code, file)) {
        collection->report_error(&err, collection->user);
    }
    return !collection->no_memory;
}

static void add_all_candidates(struct collection *collection)
{
    static const struct dj_segment_directory none;
    struct dj_segment_directory *directories =
        calloc(DJ_SELECT_DIRECTORIES, sizeof(none));
    if (directories == NULL) {
        collection->no_memory = true;
        return;
    }
    size_t count = dj_segment_list_directories(directories, DJ_SELECT_DIRECTORIES);
    for (size_t i = 0; i < count && !collection->no_memory; i++) {
        struct dj_error err = {0};
        collection->file_count = 0;
        if (dj_segment_scan(&directories[i], add_candidate, collection, &err) != 0 &&
            collection->report_error != NULL) {
            collection->report_error(&err, collection->user);
        }
    }
    free(directories);
}

static bool matches_pid_or_name(const struct dj_segment_identity *identity,
                                const char *wanted)
{
    char *end;
    long long pid = strtoll(wanted, &end, 10);
    return (end != wanted && *end == '\0' && pid == identity->pid) ||
           strcmp(identity->name, wanted) == 0;
}

static bool matches_program(const struct dj_segment_identity *identity,
                            const char *wanted)
{
    return strcmp(identity->program, wanted) == 0;
}

static bool matches_parent(const struct dj_segment_identity *identity, const char *wanted)
{
    size_t length = strlen(wanted);
    return strncmp(identity->name, wanted, length) == 0 && identity->name[length] == ':';
}

static size_t count_or_keep_matching(struct dj_segment_selection *selection,
                                     bool (*matches)(const struct dj_segment_identity *,
                                                     const char *),
                                     const char *wanted, bool keep)
{
    size_t found = 0;
    for (size_t i = 0; i < selection->count; i++) {
        if (matches(&selection->candidates[i].identity, wanted)) {
            if (keep) {
                selection->candidates[found] = selection->candidates[i];
            }
            found++;
        }
    }
    return found;
}

static void remove_unwanted(struct dj_segment_selection *selection, const char *wanted)
{
    static bool (*const rules[])(const struct dj_segment_identity *, const char *) = {
        matches_pid_or_name, matches_program, matches_parent};
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (count_or_keep_matching(selection, rules[i], wanted, false) > 0) {
            selection->count = count_or_keep_matching(selection, rules[i], wanted, true);
            return;
        }
    }
    selection->count = 0;
}

static int compare_candidates(const void *left, const void *right)
{
    const struct dj_segment_identity *a =
        &((const struct dj_segment_candidate *)left)->identity;
    const struct dj_segment_identity *b =
        &((const struct dj_segment_candidate *)right)->identity;
    if (a->ended != b->ended) {
        return a->ended ? 1 : -1;
    }
    if (a->last_ns != b->last_ns) {
        return a->last_ns > b->last_ns ? -1 : 1;
    }
    return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* Returns whether an ended process is hidden by a newer one. A process is hidden if
 * another process of the same name runs, or belongs to a run that began after the last
 * frame of the process. The candidates are sorted so that those that can hide a process
 * come before it. The first `count` candidates are those so far that are not hidden. If
 * one of them is an ended process of the same run, this process is not hidden either. */
static bool is_superseded(const struct dj_segment_selection *selection, size_t count,
                          const struct dj_segment_identity *identity)
{
    bool superseded = false;
    for (size_t i = 0; i < count && identity->ended; i++) {
        const struct dj_segment_identity *other = &selection->candidates[i].identity;
        if (strcmp(other->name, identity->name) != 0) {
            continue;
        }
        if (!other->ended || other->run_ns == identity->run_ns) {
            return !other->ended;
        }
        superseded = superseded || other->run_ns > identity->last_ns;
    }
    return superseded;
}

static void remove_superseded(struct dj_segment_selection *selection)
{
    size_t count = 0;
    for (size_t i = 0; i < selection->count; i++) {
        if (!is_superseded(selection, count, &selection->candidates[i].identity)) {
            selection->candidates[count++] = selection->candidates[i];
        }
    }
    selection->count = count;
}

/* Finds and sorts the segments. `wanted` is NULL for all segments. */
static int find_candidates(struct collection *collection, const char *wanted,
                           struct dj_error *err)
{
    struct dj_segment_selection *selection = collection->selection;
    add_all_candidates(collection);
    if (collection->no_memory) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "no memory for the list of segments");
    }
    if (wanted != NULL) {
        remove_unwanted(selection, wanted);
    }
    if (selection->count > 0) {
        qsort(selection->candidates, selection->count, sizeof(selection->candidates[0]),
              compare_candidates);
    }
    return 0;
}

int dj_segment_select(const char *wanted, dj_segment_error_callback *report_error,
                      void *user, struct dj_segment_selection *selection,
                      struct dj_error *err)
{
    struct collection collection = {
        .selection = selection, .report_error = report_error, .user = user};
    int code = find_candidates(&collection, wanted, err);
    if (code == 0) {
        remove_superseded(selection);
    }
    return code;
}

int dj_segment_select_all(struct dj_segment_selection *selection, struct dj_error *err)
{
    struct collection collection = {.selection = selection};
    return find_candidates(&collection, NULL, err);
}

void dj_segment_selection_finish(struct dj_segment_selection *selection)
{
    free(selection->candidates);
    *selection = (struct dj_segment_selection){0};
}

int dj_segment_selection_set_profile(const struct dj_segment_selection *selection,
                                     bool on, dj_segment_error_callback *report_error,
                                     void *user, struct dj_error *err)
{
    int first = 0;
    for (size_t i = 0; i < selection->count; i++) {
        const struct dj_segment_file *file = &selection->candidates[i].file;
        struct dj_error failure = {0};
        int code = dj_segment_set_profile(file->path, file->owner, on, &failure);
        if (code != 0 && report_error != NULL) {
            report_error(&failure, user);
        }
        if (code != 0 && first == 0) {
            first = dj_error_set(err, code, "%s", failure.message);
        }
    }
    return first;
}
