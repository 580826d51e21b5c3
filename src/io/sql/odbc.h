/* What the files of the ODBC driver share. Inside the room only. */
#ifndef MGL_IO_SQL_ODBC_H
#define MGL_IO_SQL_ODBC_H

#include "io/sql/sql.h"

#ifdef MGL_ODBC
#include <sql.h>
#include <sqlext.h>
#include <sqlucode.h>

enum { MGL_ODBC_MOST_TEXT = 4000 }; /* characters that are no long text for any engine */

/* In the order of their names in odbc.c. */
typedef struct mgl_odbc_calls {
    __typeof__(&SQLAllocHandle) allocate;
    __typeof__(&SQLFreeHandle) release;
    __typeof__(&SQLSetEnvAttr) set_environment;
    __typeof__(&SQLDriverConnectW) connect;
    __typeof__(&SQLDisconnect) disconnect;
    __typeof__(&SQLExecDirectW) execute_text;
    __typeof__(&SQLPrepareW) prepare;
    __typeof__(&SQLExecute) execute;
    __typeof__(&SQLBindParameter) bind;
    __typeof__(&SQLNumResultCols) n_columns;
    __typeof__(&SQLDescribeColW) describe;
    __typeof__(&SQLFetch) fetch;
    __typeof__(&SQLGetData) data;
    __typeof__(&SQLGetDiagRecW) diagnosis;
    __typeof__(&SQLGetInfoW) info;
    __typeof__(&SQLFreeStmt) close_statement;
    __typeof__(&SQLSetStmtAttrW) set_statement;
    __typeof__(&SQLGetTypeInfoW) type_info;
    __typeof__(&SQLEndTran) end_transaction;
    __typeof__(&SQLSetConnectAttrW) set_connection;
} mgl_odbc_calls;

typedef struct mgl_odbc {
    mgl_odbc_calls api;
    SQLHENV environment;
    SQLHDBC connection;
    SQLHSTMT statement;
    bool connected;
    mgl_buffer units;        /* of the cell at hand, UTF-16 */
    mgl_buffer row;          /* its texts */
    mgl_sql_dialect dialect; /* that of the engine, with what the driver says of it */
    mgl_buffer text;         /* its type of texts */
    SQLUINTEGER isolation;   /* of transactions that see one state of the data */
} mgl_odbc;

bool mgl_odbc_went_well(SQLRETURN code);
mgl_status mgl_odbc_fail(const mgl_sql *sql, SQLSMALLINT kind, SQLHANDLE handle, mgl_error *err);
void mgl_odbc_finish(mgl_sql *sql);
mgl_status mgl_odbc_load(mgl_sql *sql, const char *table, const mgl_sql_rows *rows, mgl_error *err);
#endif

#endif
