/*
 * Asks git about commits: where two lines part, and what came before. Runs the program
 * `git` without a shell. Arguments from outside never begin with a dash.
 *
 * Errors: DJ_E_UNSUPPORTED: git is not installed. DJ_E_NO_DATA: there is no repository,
 * or it has no such commit or branch (a shallow clone lacks most). DJ_E_USAGE: git would
 * read the name as an option. DJ_E_TIMEOUT.
 */
#ifndef DEJANK_GATE_COMMITS_H
#define DEJANK_GATE_COMMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum { DJ_GATE_COMMIT_BYTES = 65 };

/* Finds the newest common commit and stores its full name. `folder` is in the repository.
 * NULL: the working folder. */
int dj_gate_commits_merge_base(const char *folder, const char *one, const char *other,
                               char commit[DJ_GATE_COMMIT_BYTES], struct dj_error *err);

/* Stores the full name of the commit that a revision ("HEAD", "v1.2", "4f2a91c")
 * names. */
int dj_gate_commits_name(const char *folder, const char *revision,
                         char commit[DJ_GATE_COMMIT_BYTES], struct dj_error *err);

/* Appends `revision` and the commits before it, newest first, one full name per line, at
 * most 20 000. `first_parent`: only the line itself, without commits that were merged
 * into it. */
int dj_gate_commits_before(const char *folder, const char *revision, bool first_parent,
                           struct dj_text *lines, struct dj_error *err);

/* Appends the commits that `bad` has and `good` lacks, newest first, one full name per
 * line, at most 20 000. These are the commits that git bisect searches, including a
 * branch that is older than `good` and was merged after it. Returns DJ_E_NO_DATA also if
 * `good` does not come before `bad`. */
int dj_gate_commits_between(const char *folder, const char *good, const char *bad,
                            struct dj_text *lines, struct dj_error *err);

/* Reads one line of these lists and moves *lines to the next. Returns false if there is
 * none. */
bool dj_gate_commits_next(const char **lines, char commit[DJ_GATE_COMMIT_BYTES]);

/* Returns whether a written commit is this one: it is equal, or a beginning of at least 7
 * characters. */
bool dj_gate_commit_matches(const char *written, const char *commit);

#endif
