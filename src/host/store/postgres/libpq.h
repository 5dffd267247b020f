/* The functions of libpq that dejank calls. libpq is loaded when the first store on a
 * server is opened. */
#ifndef DEJANK_STORE_POSTGRES_LIBPQ_H
#define DEJANK_STORE_POSTGRES_LIBPQ_H

#include <libpq-fe.h>

#include "device/library.h"

#define DJ_LIBPQ_FUNCTIONS(ROW)                                                          \
    ROW(PQclear)                                                                         \
    ROW(PQcmdStatus)                                                                     \
    ROW(PQcmdTuples)                                                                     \
    ROW(PQconnectdbParams)                                                               \
    ROW(PQerrorMessage)                                                                  \
    ROW(PQexec)                                                                          \
    ROW(PQexecParams)                                                                    \
    ROW(PQfinish)                                                                        \
    ROW(PQfname)                                                                         \
    ROW(PQftype)                                                                         \
    ROW(PQgetResult)                                                                     \
    ROW(PQgetisnull)                                                                     \
    ROW(PQgetlength)                                                                     \
    ROW(PQgetvalue)                                                                      \
    ROW(PQnfields)                                                                       \
    ROW(PQntuples)                                                                       \
    ROW(PQparameterStatus)                                                               \
    ROW(PQpingParams)                                                                    \
    ROW(PQresultErrorField)                                                              \
    ROW(PQresultStatus)                                                                  \
    ROW(PQsendQueryParams)                                                               \
    ROW(PQsetNoticeProcessor)                                                            \
    ROW(PQsetSingleRowMode)                                                              \
    ROW(PQstatus)

/* The loaded functions. dj_store_load_libpq() loads them. */
DJ_LIBRARY_DECLARE(dj_libpq, DJ_LIBPQ_FUNCTIONS);

#endif
