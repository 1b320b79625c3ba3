import { type Detector, keptInTree } from './detector.ts';

/** All modules are tested though one fails, as with every tool that can. */
export const mavenProject: Detector = async ({ has }) => {
  if (!has('pom.xml')) return null;
  return { setup: null, test: `${has('mvnw') ? 'sh ./mvnw' : 'mvn'} -q -fae test` };
};

export const gradleProject: Detector = async ({ has }) => {
  const scripts = ['build.gradle', 'settings.gradle'].flatMap((name) => [name, `${name}.kts`]);
  if (!scripts.some((name) => has(name))) return null;
  const gradle = has('gradlew') ? 'sh ./gradlew' : 'gradle';
  return keptInTree(
    { GRADLE_USER_HOME: 'gradle' },
    { setup: [`${gradle} testClasses`], test: `${gradle} test --continue` },
  );
};

export const sbtProject: Detector = async ({ has }) =>
  has('build.sbt') ? { setup: null, test: 'sbt -batch test' } : null;
