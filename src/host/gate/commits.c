#include "gate/commits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "device/device.h"
#include "memory/memory.h"
#include "process/process.h"

static const int64_t PATIENCE_NS = INT64_C(60) * 1000000000;

enum { WORDS = 10, SHORTEST = 7 };

static const char MOST[] = "-n20000"; /* The maximum number of commits that git lists. */

/* Returns an error with the first line that git printed, without "fatal: ". */
static int report_refusal(const struct dj_device_result *result, struct dj_error *err)
{
    const char *says = dj_text_get(&result->err);
    says += strncmp(says, "fatal: ", 7) == 0 ? 7 : 0;
    return dj_error_set(err, DJ_E_NO_DATA, "git: %.*s", (int)strcspn(says, "\n"),
                        says[0] != '\0' ? says
                                        : "the two commits have no common ancestor");
}

/* Runs git with the arguments `words` and stores its output in *lines. */
static int run_git(const char *folder, const char *const *words, struct dj_text *lines,
                   struct dj_error *err)
{
    const char *argv[WORDS + 4] = {"git", "-C", folder != NULL ? folder : "."};
    struct dj_device_result result = {0};
    struct dj_deadline deadline = dj_deadline_in(PATIENCE_NS, NULL);
    for (size_t i = 0; i < WORDS && words[i] != NULL; i++) {
        argv[3 + i] = words[i];
    }
    const struct dj_process_run run = {argv, &deadline, &result.out, &result.err};
    int code = dj_xcode(dj_process_run(&run, &result.exit_code, err));
    if (code == DJ_E_NOT_FOUND) {
        code = dj_error_set(err, DJ_E_UNSUPPORTED,
                            "git is not installed, but it is needed to find where "
                            "branches part. hint: name the baseline's build instead");
    } else if (code == 0 && result.exit_code != 0) {
        code = report_refusal(&result, err);
    } else if (code == 0) {
        dj_text_append(lines, dj_text_get(&result.out), result.out.length);
    }
    dj_device_result_finish(&result);
    return code;
}

/* Returns whether the text can be passed to git as a revision. If not, sets err to
 * DJ_E_USAGE. */
static bool is_revision(const char *text, struct dj_error *err)
{
    bool is = text[0] != '-' && text[0] != '\0';
    if (!is) {
        dj_error_set(err, DJ_E_USAGE, "'%.80s': expected a commit or branch of git",
                     text);
    }
    return is;
}

/* Runs git and reads the name of one commit from its first line. */
static int read_commit(const char *folder, const char *const *words,
                       char commit[DJ_GATE_COMMIT_BYTES], struct dj_error *err)
{
    struct dj_text lines = {0};
    int code = run_git(folder, words, &lines, err);
    size_t length = strcspn(dj_xtext(&lines), "\n");
    if (code == 0 && (length == 0 || length >= DJ_GATE_COMMIT_BYTES)) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "git: the two commits have no common ancestor");
    } else if (code == 0) {
        snprintf(commit, DJ_GATE_COMMIT_BYTES, "%.*s", (int)length, dj_text_get(&lines));
    }
    dj_text_finish(&lines);
    return code;
}

int dj_gate_commits_merge_base(const char *folder, const char *one, const char *other,
                               char commit[DJ_GATE_COMMIT_BYTES], struct dj_error *err)
{
    const char *const words[] = {"merge-base", one, other, NULL};
    return is_revision(one, err) && is_revision(other, err)
               ? read_commit(folder, words, commit, err)
               : DJ_E_USAGE;
}

int dj_gate_commits_name(const char *folder, const char *revision,
                         char commit[DJ_GATE_COMMIT_BYTES], struct dj_error *err)
{
    if (!is_revision(revision, err)) {
        return DJ_E_USAGE;
    }
    char *peeled = dj_xformat("%s^{commit}", revision);
    const char *const words[] = {"rev-parse", "--verify", peeled, NULL};
    int code = read_commit(folder, words, commit, err);
    free(peeled);
    return code;
}

int dj_gate_commits_before(const char *folder, const char *revision, bool first_parent,
                           struct dj_text *lines, struct dj_error *err)
{
    const char *const words[] = {"rev-list", MOST, revision,
                                 first_parent ? "--first-parent" : NULL, NULL};
    return is_revision(revision, err) ? run_git(folder, words, lines, err) : DJ_E_USAGE;
}

int dj_gate_commits_between(const char *folder, const char *good, const char *bad,
                            struct dj_text *lines, struct dj_error *err)
{
    char whole[DJ_GATE_COMMIT_BYTES], base[DJ_GATE_COMMIT_BYTES];
    const char *const words[] = {"rev-list", MOST, bad, "--not", good, NULL};
    if (!is_revision(good, err) || !is_revision(bad, err)) {
        return DJ_E_USAGE;
    }
    int code = run_git(folder, words, lines, err);
    if (code != 0 || (code = dj_gate_commits_name(folder, good, whole, err)) != 0 ||
        (code = dj_gate_commits_merge_base(folder, whole, bad, base, err)) != 0) {
        return code;
    }
    return strcmp(whole, base) == 0
               ? 0
               : dj_error_set(err, DJ_E_NO_DATA, "git: %.12s is not an ancestor of %.12s",
                              good, bad);
}

bool dj_gate_commits_next(const char **lines, char commit[DJ_GATE_COMMIT_BYTES])
{
    const char *end = strchr(*lines, '\n');
    if (end == NULL) {
        return false;
    }
    snprintf(commit, DJ_GATE_COMMIT_BYTES, "%.*s", (int)(end - *lines), *lines);
    *lines = end + 1;
    return true;
}

bool dj_gate_commit_matches(const char *written, const char *commit)
{
    size_t length = written != NULL ? strlen(written) : 0;
    return length >= SHORTEST && length <= strlen(commit) &&
           strncasecmp(written, commit, length) == 0;
}
