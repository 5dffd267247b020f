/*
 * What git knows of commits: where two lines part, and what came before. Asked of the
 * program `git` itself, without a shell; what it is handed never begins with a dash.
 *
 * Errors: DJ_E_UNSUPPORTED git is not installed; DJ_E_NO_DATA there is no repository, or
 * it has no such commit or branch (a shallow clone lacks most); DJ_E_USAGE a name git
 * would take for an option; DJ_E_TIMEOUT.
 */
#ifndef DEJANK_GATE_COMMITS_H
#define DEJANK_GATE_COMMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum { DJ_COMMIT = 65 };

/* The newest commit that both have: its whole name. `folder` is in the repository; NULL:
 * the present one. */
int dj_commits_merge_base(const char *folder, const char *one, const char *other,
                          char commit[DJ_COMMIT], struct dj_error *err);

/* The whole name of what a revision ("HEAD", "v1.2", "4f2a91c") stands for. */
int dj_commits_name(const char *folder, const char *revision, char commit[DJ_COMMIT],
                    struct dj_error *err);

/* Appends `revision` and what came before it, newest first, a whole name a line; at most
 * 20 000. `first_parent`: only the line itself, not what was merged into it. */
int dj_commits_before(const char *folder, const char *revision, bool first_parent,
                      struct dj_text *lines, struct dj_error *err);

/* Appends what `bad` has and `good` lacks, newest first, a whole name a line, at most
 * 20 000: where git bisect looks, also where a branch that is older than `good`
 * was merged after it. DJ_E_NO_DATA too where `good` does not come before `bad`. */
int dj_commits_between(const char *folder, const char *good, const char *bad,
                       struct dj_text *lines, struct dj_error *err);

/* Reads a line of these lists, and moves *lines to the next one. False: there is none. */
bool dj_commits_next(const char **lines, char commit[DJ_COMMIT]);

/* Whether a commit as somebody wrote it is this one: the same, or 7 characters and more
 * that it begins with. */
bool dj_commit_is(const char *written, const char *commit);

#endif
