-- count
SELECT
  HEX(`t0`.`zip`) AS `c0`,
  `t0`.`a"ge` AS `c1`,
  `t0`.`income` + 0.0 AS `c2`,
  `t0`.`born` AS `c3`,
  HEX(`t0`.`ill`) AS `c4`,
  COUNT(*) AS `n`
FROM `people` AS `t0`
GROUP BY
  1,
  2,
  3,
  4,
  5;
-- release
SELECT
  *
FROM (
  SELECT
    `t2`.`r0` AS `zip`,
    `t2`.`r1` AS `a"ge`,
    `t2`.`r2` AS `income`,
    `t2`.`r3` AS `born`,
    `t4`.`p4` AS `ill`
  FROM (
    SELECT
      CASE WHEN HEX(`t0`.`zip`) IS NULL THEN 1 ELSE 0 END AS `f0`,
      COALESCE(HEX(`t0`.`zip`), '') AS `c0`,
      `t0`.`a"ge` AS `c1`,
      CASE WHEN (
        `t0`.`income` + 0.0
      ) IS NULL THEN 1 ELSE 0 END AS `f2`,
      COALESCE(`t0`.`income` + 0.0, 0.0) AS `c2`,
      CASE WHEN `t0`.`born` IS NULL THEN 1 ELSE 0 END AS `f3`,
      `t0`.`ill` AS `p4`
    FROM `people` AS `t0`
  ) AS `t4`
  INNER JOIN `mingle_map` AS `t2`
    ON `t4`.`f0` = `t2`.`f0`
    AND CAST(`t4`.`c0` AS BINARY) = `t2`.`c0`
    AND `t4`.`c1` = `t2`.`c1`
    AND `t4`.`f2` = `t2`.`f2`
    AND `t4`.`c2` = `t2`.`c2`
    AND `t4`.`f3` = `t2`.`f3`
) AS `t5`
ORDER BY
  RAND() ASC;
