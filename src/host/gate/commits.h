/*
 * Reads the history of commits from git: where two branches parted, and which commits are
 * before a commit. Runs the program `git` without a shell. Arguments that begin with a
 * dash are refused.
 *
 * Errors:
 *   DJ_E_UNSUPPORTED  git is not installed.
 *   DJ_E_NO_DATA      There is no repository, or it does not have the commit or branch.
 *                     A shallow clone lacks most commits.
 *   DJ_E_USAGE        The name begins with a dash, so git would read it as an option.
 *   DJ_E_TIMEOUT      git did not answer in time.
 */
#ifndef DEJANK_GATE_COMMITS_H
#define DEJANK_GATE_COMMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum { DJ_GATE_COMMIT_BYTES = 65 };

/* Finds the newest common ancestor of two commits and stores its full name. `folder` is a
 * folder in the repository, or NULL for the working folder. */
int dj_gate_commits_merge_base(const char *folder, const char *one, const char *other,
                               char commit[DJ_GATE_COMMIT_BYTES], struct dj_error *err);

/* Stores the full name of the commit to which a revision such as "HEAD", "v1.2" or
 * "4f2a91c" refers. */
int dj_gate_commits_name(const char *folder, const char *revision,
                         char commit[DJ_GATE_COMMIT_BYTES], struct dj_error *err);

/* Appends `revision` and the commits before it, newest first, one full name per line.
 * Appends at most 20 000 commits. If `first_parent` is true, follows only the first
 * parent of each merge, so that commits of merged branches are omitted. */
int dj_gate_commits_before(const char *folder, const char *revision, bool first_parent,
                           struct dj_text *lines, struct dj_error *err);

/* Appends the commits that are reachable from `bad` but not from `good`, newest first,
 * one full name per line. Appends at most 20 000 commits. git bisect searches the same
 * commits. These include commits of a branch that began before `good` and was merged
 * after `good`. Returns DJ_E_NO_DATA also if `good` is not an ancestor of `bad`. */
int dj_gate_commits_between(const char *folder, const char *good, const char *bad,
                            struct dj_text *lines, struct dj_error *err);

/* Reads the first line of a list of commits and moves *lines to the next line. Returns
 * false at the end of the list. */
bool dj_gate_commits_next(const char **lines, char commit[DJ_GATE_COMMIT_BYTES]);

/* Returns whether `written` names the commit. `written` is the text of a person, so it
 * may be abbreviated to 7 characters. */
bool dj_gate_commit_matches(const char *written, const char *commit);

#endif
