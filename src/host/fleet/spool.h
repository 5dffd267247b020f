/* Stores sessions that no shard has accepted yet, as files with RowBinary rows in one
 * folder (the spool). A file appears completely or not at all, and is on the disk when
 * the function returns. Any number of processes may use the same folder. */
#ifndef DEJANK_FLEET_SPOOL_H
#define DEJANK_FLEET_SPOOL_H

#include "base/error.h"
#include "base/text.h"

/* The properties of a file's rows. The name of the file contains them. */
struct dj_spool_label {
    int64_t sessions; /* Number of rows in the file, or 0 if unknown. */
    /* Number of the shard to which all rows belong, and number of shards. Both are 0 if
     * the rows belong to several shards. */
    size_t shard, shard_count;
};

/* Appends ".SESSIONS.rowbinary", or ".SESSIONS.SHARD-of-COUNT.rowbinary". */
void dj_fleet_spool_append_label(struct dj_text *name,
                                 const struct dj_spool_label *label);

/* Parses the label in the name of a file. If the name has no label, all members of the
 * result are 0. */
struct dj_spool_label dj_fleet_spool_parse_label(const char *path);

/* The files of a folder, oldest first. A zeroed struct is an empty list. */
struct dj_fleet_spool {
    char **paths;
    size_t count;
};

/* Appends the path of the spool folder: `folder`, or dejank/fleet in the user's state
 * folder if `folder` is NULL. Creates the folder if it is missing. */
int dj_fleet_spool_path(const char *folder, struct dj_text *path, struct dj_error *err);

/* Writes the rows to a new file. Returns DJ_E_OUTPUT if that fails. */
int dj_fleet_spool_write(const char *folder, struct dj_str rows,
                         const struct dj_spool_label *label, struct dj_error *err);

/* Lists the files of the folder. Returns DJ_E_IO if the folder cannot be read. */
int dj_fleet_spool_list(const char *folder, struct dj_fleet_spool *spool,
                        struct dj_error *err);

/* Renames a file so that it is no longer listed, and keeps its content. */
void dj_fleet_spool_reject(const char *path);

/* Deletes the listed files, and finishes the list. */
void dj_fleet_spool_delete(struct dj_fleet_spool *spool);
void dj_fleet_spool_finish(struct dj_fleet_spool *spool);

#endif
