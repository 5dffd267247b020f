/* Rows of the option tables of verbs that use a fleet. */
#ifndef DEJANK_CLI_FLEET_OPTION_H
#define DEJANK_CLI_FLEET_OPTION_H

#define DJ_SHARD_OPTION(type, field)                                                     \
    {                                                                                    \
        "shard", 0, DJ_OPTION_LIST, offsetof(type, field), "URL",                        \
            "HTTP port of a shard, in the server's order; repeat it for each shard "     \
            "(default: the file named by DEJANK_FLEET)"                                  \
    }

#define DJ_CLUSTER_OPTION(type, field)                                                   \
    {                                                                                    \
        "cluster", 0, DJ_OPTION_STRING, offsetof(type, field), "NAME",                   \
            "the cluster's name (default: dejank)"                                       \
    }

#define DJ_PASSWORD_FILE_OPTION(type, field)                                             \
    {                                                                                    \
        "password-file", 0, DJ_OPTION_STRING, offsetof(type, field), "FILE",             \
            "the password of the URLs' user"                                             \
    }

#define DJ_SPOOL_OPTION(type, field)                                                     \
    {                                                                                    \
        "spool", 0, DJ_OPTION_STRING, offsetof(type, field), "DIR",                      \
            "folder of sessions that wait for a shard (default: "                        \
            "$XDG_STATE_HOME/dejank/fleet)"                                              \
    }

#endif
