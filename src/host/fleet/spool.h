/* Sessions that no shard has accepted yet, as files of RowBinary rows in one folder. A
 * file appears completely or not at all, and is on the disk when the function returns.
 * Any number of processes may use a folder. */
#ifndef DEJANK_FLEET_SPOOL_H
#define DEJANK_FLEET_SPOOL_H

#include "base/error.h"
#include "base/text.h"

/* The properties of the rows of a file, which its name contains. */
struct dj_spool_label {
    int64_t sessions; /* Number of rows, or 0 if it is unknown. */
    /* The shard of all rows and the number of shards, or 0 and 0 if the rows belong to
     * several shards. */
    size_t shard, shard_count;
};

/* Appends ".SESSIONS.rowbinary", or ".SESSIONS.SHARD-of-COUNT.rowbinary". */
void dj_fleet_spool_append_label(struct dj_text *name,
                                 const struct dj_spool_label *label);

/* Reads the label of a file's name. A name without one has an empty label. */
struct dj_spool_label dj_fleet_spool_parse_label(const char *path);

/* The files of a folder, oldest first. A list that is all zero is empty. */
struct dj_fleet_spool {
    char **paths;
    size_t count;
};

/* Appends the path of the folder: `folder`, or the default, dejank/fleet in the user's
 * folder for state. Creates it if it is missing. */
int dj_fleet_spool_path(const char *folder, struct dj_text *path, struct dj_error *err);

/* Writes a new file with these rows. Returns DJ_E_OUTPUT if that fails. */
int dj_fleet_spool_write(const char *folder, struct dj_str rows,
                         const struct dj_spool_label *label, struct dj_error *err);

/* Lists the files. Returns DJ_E_IO if the folder cannot be read. */
int dj_fleet_spool_list(const char *folder, struct dj_fleet_spool *spool,
                        struct dj_error *err);

/* Renames a file so that it is no longer listed, and keeps its content. */
void dj_fleet_spool_reject(const char *path);

/* Deletes the listed files, and finishes the list. */
void dj_fleet_spool_delete(struct dj_fleet_spool *spool);
void dj_fleet_spool_finish(struct dj_fleet_spool *spool);

#endif
