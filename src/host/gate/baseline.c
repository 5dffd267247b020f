#include "gate/baseline.h"

#include <ctype.h>
#include <string.h>

#include "base/optional_text.h"
#include "gate/baseline_private.h"
#include "memory/memory.h"

/* The default branch of a clone. */
static const char remote_default[] = "origin/HEAD";

bool dj_gate_baseline_has_identity(const struct dj_batch_row *batch)
{
    return batch->version != NULL || batch->commit != NULL || batch->label != NULL;
}

bool dj_gate_baseline_is_grouped(const struct dj_batch_row *a,
                                 const struct dj_batch_row *b)
{
    return a != NULL && b != NULL && a->group != NULL &&
           dj_optional_text_equal(a->group, b->group);
}

/* Returns whether the batch measured the candidate's build. If neither batch has a
 * version, commit or label, both measured one build only if they are the same build of a
 * pair that was measured together. */
bool dj_gate_baseline_is_candidate_batch(const struct dj_baseline_choice *choosing,
                                         const struct dj_batch_row *batch)
{
    const struct dj_batch_row *candidate = choosing->candidate;
    if (dj_gate_baseline_has_identity(batch) ||
        dj_gate_baseline_has_identity(candidate)) {
        return dj_gate_catalogue_same_build(batch, candidate);
    }
    return batch == candidate ||
           (dj_gate_baseline_is_grouped(batch, candidate) && batch->arm != NULL &&
            dj_optional_text_equal(batch->arm, candidate->arm));
}

/* Returns whether the batch is on the branch. A batch is on the branch if the commit of
 * the batch is on the branch, or if the label of its build is the name of the branch. */
static bool is_on_branch(const struct dj_baseline_choice *choosing,
                         const struct dj_batch_row *batch)
{
    const char *branch = choosing->baseline.name;
    if (branch[0] == '\0' || dj_optional_text_equal(batch->label, branch)) {
        return true;
    }
    const char *lines = dj_xtext(&choosing->commits);
    char commit[DJ_GATE_COMMIT_BYTES];
    while (batch->commit != NULL && dj_gate_commits_next(&lines, commit)) {
        if (dj_gate_commit_matches(batch->commit, commit)) {
            return true;
        }
    }
    return false;
}

bool dj_gate_baseline_is_baseline_batch(const struct dj_baseline_choice *choosing,
                                        const struct dj_batch_row *batch,
                                        const struct dj_batch_row *candidate)
{
    if (batch == candidate || dj_gate_baseline_is_candidate_batch(choosing, batch)) {
        return false;
    }
    switch (choosing->baseline.kind) {
    case DJ_BASELINE_INTERLEAVED:
        return dj_gate_baseline_is_grouped(batch, candidate);
    case DJ_BASELINE_NAMED:
        return dj_gate_catalogue_matches(batch, choosing->baseline.name);
    case DJ_BASELINE_LAST_RELEASE:
        return dj_gate_catalogue_same_build(batch, choosing->release);
    case DJ_BASELINE_MERGE_BASE:
        return dj_gate_commit_matches(batch->commit, choosing->commit);
    case DJ_BASELINE_LAST:
        return batch > choosing->candidate && is_on_branch(choosing, batch);
    default:
        return false;
    }
}

/* Returns whether the version is that of a release, such as "1.8.2", "v2.0" or
 * "1.8.2+g4f2a91c". "2.0.0-rc1" is a pre-release. */
static bool is_release(const char *version)
{
    size_t start = version != NULL && version[0] == 'v';
    size_t length = version != NULL ? strspn(version + start, "0123456789.") : 0;
    return length > 0 && isdigit((unsigned char)version[start]) &&
           (version[start + length] == '\0' || version[start + length] == '+');
}

static int find_release(struct dj_baseline_choice *choosing, struct dj_error *err)
{
    const struct dj_catalogue *catalogue = choosing->catalogue;
    for (const struct dj_batch_row *batch = choosing->candidate + 1;
         batch < catalogue->batch + catalogue->count; batch++) {
        if (is_release(batch->version) &&
            !dj_gate_catalogue_same_build(batch, choosing->candidate)) {
            choosing->release = batch;
            return 0;
        }
    }
    return dj_error_set(
        err, DJ_E_NO_DATA,
        "no build with the version of a release (such as --app-version 1.8.2) was "
        "measured before the candidate. hint: name the baseline with --baseline");
}

static const struct dj_batch_row *find_commit(const struct dj_catalogue *catalogue,
                                              const char *commit)
{
    for (size_t i = 0; i < catalogue->count; i++) {
        if (dj_gate_commit_matches(catalogue->batch[i].commit, commit)) {
            return &catalogue->batch[i];
        }
    }
    return NULL;
}

static int report_not_measured(const char *wanted, const char *branch, const char *found,
                               size_t distance, struct dj_error *err)
{
    return found[0] == '\0'
               ? dj_error_set(err, DJ_E_NO_DATA,
                              "commit %.12s, where the candidate left %.60s, was not "
                              "measured, and no commit before it was. hint: measure it "
                              "with 'dejank run --commit %.12s'",
                              wanted, branch, wanted)
               : dj_error_set(err, DJ_E_NO_DATA,
                              "commit %.12s, where the candidate left %.60s, was not "
                              "measured. The nearest measured commit before it is %.12s, "
                              "%zu commits earlier. hint: --nearest uses that commit",
                              wanted, branch, found, distance);
}

/* Finds the measured commit that is nearest to the merge base, among the merge base and
 * the commits before it. */
static int find_measured_commit(struct dj_baseline_choice *choosing, const char *branch,
                                const char *own, struct dj_error *err)
{
    char wanted[DJ_GATE_COMMIT_BYTES] = "";
    size_t distance = 0;
    const char *lines = dj_xtext(&choosing->commits);
    char commit[DJ_GATE_COMMIT_BYTES];
    while (dj_gate_commits_next(&lines, commit)) {
        if (strcmp(commit, own) == 0) {
            /* The candidate itself is on the branch. Only the commits before it can be
             * the baseline. */
            continue;
        }
        if (wanted[0] == '\0') {
            memcpy(wanted, commit, sizeof(wanted));
        }
        if (find_commit(choosing->catalogue, commit) != NULL) {
            memcpy(choosing->commit, commit, sizeof(commit));
            return distance == 0 || choosing->baseline.nearest
                       ? 0
                       : report_not_measured(wanted, branch, commit, distance, err);
        }
        distance++;
    }
    return report_not_measured(wanted[0] != '\0' ? wanted : own, branch, "", 0, err);
}

static int find_merge_base(struct dj_baseline_choice *choosing, struct dj_error *err)
{
    const char *folder = choosing->baseline.folder;
    const char *branch =
        choosing->baseline.name[0] != '\0' ? choosing->baseline.name : remote_default;
    const char *head =
        choosing->candidate->commit != NULL ? choosing->candidate->commit : "HEAD";
    char own[DJ_GATE_COMMIT_BYTES] = "", base[DJ_GATE_COMMIT_BYTES] = "";
    int code = dj_gate_commits_name(folder, head, own, err);
    if (code != 0) {
        dj_error_prepend(err, "the candidate's commit '%.60s'", head);
        return code;
    }
    code = dj_gate_commits_merge_base(folder, own, branch, base, err);
    if (code != 0) {
        dj_error_prepend(
            err, "%.60s%s", branch,
            branch == remote_default
                ? " (the default; --baseline merge-base:BRANCH names another)"
                : "");
        return code;
    }
    code = dj_gate_commits_before(folder, base, true, &choosing->commits, err);
    return code == 0 ? find_measured_commit(choosing, branch, own, err) : code;
}

static int find_branch(struct dj_baseline_choice *choosing, struct dj_error *err)
{
    const char *branch = choosing->baseline.name;
    bool labelled = false;
    for (size_t i = 0; i < choosing->catalogue->count; i++) {
        labelled = labelled ||
                   dj_optional_text_equal(choosing->catalogue->batch[i].label, branch);
    }
    if (branch[0] == '\0') {
        return 0;
    }
    int code = dj_gate_commits_before(choosing->baseline.folder, branch, false,
                                      &choosing->commits, labelled ? NULL : err);
    return labelled ? 0 : code;
}

int dj_gate_baseline_find(struct dj_baseline_choice *choosing, struct dj_error *err)
{
    switch (choosing->baseline.kind) {
    case DJ_BASELINE_LAST_RELEASE:
        return find_release(choosing, err);
    case DJ_BASELINE_MERGE_BASE:
        return find_merge_base(choosing, err);
    case DJ_BASELINE_LAST:
        return find_branch(choosing, err);
    default:
        return 0;
    }
}

bool dj_gate_baseline_is_wanted(const struct dj_baseline_choice *choosing,
                                const struct dj_batch_row *batch)
{
    const struct dj_cells_options *wish = choosing->wish;
    return (wish->flow == NULL || strcmp(wish->flow, batch->name) == 0) &&
           (wish->serial == NULL || strcmp(wish->serial, batch->serial) == 0);
}

/* Returns the second build ("B") of the pair to which the batch belongs. If the caller
 * names no candidate, B is the candidate, because A is the old build. */
static const struct dj_batch_row *
find_second_arm(const struct dj_baseline_choice *choosing,
                const struct dj_batch_row *batch)
{
    for (size_t i = 0; batch->group != NULL && i < choosing->catalogue->count; i++) {
        const struct dj_batch_row *other = &choosing->catalogue->batch[i];
        if (dj_optional_text_equal(other->group, batch->group) &&
            dj_optional_text_equal(other->arm, "B")) {
            return other;
        }
    }
    return batch;
}

int dj_gate_baseline_find_candidate(struct dj_baseline_choice *choosing,
                                    struct dj_error *err)
{
    const char *word = choosing->wish->candidate;
    for (size_t i = 0; i < choosing->catalogue->count; i++) {
        const struct dj_batch_row *batch = &choosing->catalogue->batch[i];
        if (dj_gate_baseline_is_wanted(choosing, batch) &&
            (word == NULL || dj_gate_catalogue_matches(batch, word))) {
            choosing->candidate = word == NULL ? find_second_arm(choosing, batch) : batch;
            return 0;
        }
    }
    return word != NULL
               ? dj_error_set(
                     err, DJ_E_NO_DATA,
                     "no such plan or build: '%.100s' is not a .yaml file, and no "
                     "batch has this id, label, version or commit (excluded "
                     "batches do not count). hint: 'dejank list' shows the "
                     "batches",
                     word)
               : dj_error_set(
                     err, DJ_E_NO_DATA,
                     "'%.100s' has no batch of this flow or device (excluded batches do "
                     "not count). hint: 'dejank list' shows the batches",
                     choosing->wish->flow != NULL ? choosing->wish->flow
                                                  : choosing->wish->serial);
}
