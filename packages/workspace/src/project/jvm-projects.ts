import { type Detector, keptInTree } from './detector.ts';

/**
 * All modules are tested though one fails, as with every tool that can. Surefire fetches what runs the tests when it runs
 * them, and no goal does that before: so the tests run once while the network is there, whatever comes of them.
 */
export const mavenProject: Detector = async ({ has }) => {
  if (!has('pom.xml')) return null;
  const test = `${has('mvnw') ? 'sh ./mvnw' : 'mvn'} -B -fae test`;
  return keptInTree(
    { ...(has('mvnw') && { MAVEN_USER_HOME: 'maven' }), MAVEN_OPTS: '-Dmaven.repo.local=m2' },
    { setup: [`${test} -Dmaven.test.failure.ignore=true`], test },
  );
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
